import type { Texts } from './en.ts'

export type { Texts }

/** The languages of the dashboard and of the operator's console, each with its own name. */
export const languageNames = { de: 'Deutsch', en: 'English' } as const

export type Language = keyof typeof languageNames
// Object.keys of a constant object.
export const languageCodes = Object.keys(languageNames) as Language[]

const defaultLanguage = 'en' satisfies Language

/** The first preferred language that there is; English if there is none. */
export function chooseLanguage(preferred: readonly string[]): Language {
  return preferred.map(baseLanguage).find(isLanguage) ?? defaultLanguage
}

/** The locale for dates and numbers: the user's regional variant of the language, such as `de-AT`, if they have one. */
export function chooseLocale(language: Language, preferred: readonly string[]): string {
  return preferred.find((tag) => baseLanguage(tag) === language) ?? language
}

export function isLanguage(code: string): code is Language {
  return Object.hasOwn(languageNames, code)
}

function baseLanguage(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? ''
}
