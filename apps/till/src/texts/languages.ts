import { isEdited } from '@vidimus/holder-texts/language-codes'
import { de } from './languages/de.ts'
import { en, type TillTexts } from './languages/en.ts'
import { es } from './languages/es.ts'
import { fr } from './languages/fr.ts'
import { it } from './languages/it.ts'
import { nl } from './languages/nl.ts'
import { pl } from './languages/pl.ts'

/** Each language by its own name. */
export const languages = {
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
} as const

export type Language = keyof typeof languages

const textsByLanguage: Record<Language, TillTexts> = { de, en, es, fr, it, nl, pl }

export function texts(language: Language): TillTexts {
  return textsByLanguage[language]
}

/** The languages to choose from: all, or none that is a machine translation. */
export function listLanguages({ edited_only }: { edited_only: boolean }): Language[] {
  return Object.keys(languages)
    .filter(isLanguage)
    .filter((code) => !edited_only || isEdited(code))
}

/** The first preferred language that is offered; English if there is none. */
export function chooseLanguage(preferred: readonly string[], offered: readonly Language[]): Language {
  const codes = preferred.map((tag) => tag.toLowerCase().split('-')[0] ?? '')
  return codes.flatMap((code) => offered.find((each) => each === code) ?? [])[0] ?? 'en'
}

export function isLanguage(code: string): code is Language {
  return Object.hasOwn(languages, code)
}
