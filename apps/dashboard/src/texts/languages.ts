import type { HolderTexts } from '@vidimus/holder-texts'
import type { Texts } from './en.ts'

export type { Texts }

type LanguageFiles = {
  /** The language's own name. */
  name: string
  load: () => Promise<Texts>
  /** What holders read, for previews. */
  loadHolderTexts: () => Promise<HolderTexts>
}

/** Only the chosen language is loaded. */
export const languages = {
  de: {
    name: 'Deutsch',
    load: async () => (await import('./de.ts')).de,
    loadHolderTexts: async () => (await import('@vidimus/holder-texts/languages/de')).de,
  },
  en: {
    name: 'English',
    load: async () => (await import('./en.ts')).en,
    loadHolderTexts: async () => (await import('@vidimus/holder-texts/en')).en,
  },
} as const satisfies Record<string, LanguageFiles>

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
