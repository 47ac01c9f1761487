import type { en } from './en.ts'

/** Every text of the dashboard. English defines the names, so that a missing or superfluous text does not compile. */
export type Texts = typeof en

/** Each language by its own name, with its texts. Only the chosen one is loaded. */
export const languages = {
  de: { name: 'Deutsch', load: async (): Promise<Texts> => (await import('./de.ts')).de },
  en: { name: 'English', load: async (): Promise<Texts> => (await import('./en.ts')).en },
} as const

export type Language = keyof typeof languages
// Object.keys of a constant object.
export const languageCodes = Object.keys(languages) as Language[]

const defaultLanguage = 'en' satisfies Language

/** The first preferred language that the dashboard has; English if there is none. */
export function chooseLanguage(preferred: readonly string[]): Language {
  return preferred.map(baseLanguage).find(isLanguage) ?? defaultLanguage
}

/** The locale for dates and numbers: the user's regional variant of the language, such as `de-AT`, if they have one. */
export function chooseLocale(language: Language, preferred: readonly string[]): string {
  return preferred.find((tag) => baseLanguage(tag) === language) ?? language
}

export function isLanguage(code: string): code is Language {
  return Object.hasOwn(languages, code)
}

function baseLanguage(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? ''
}
