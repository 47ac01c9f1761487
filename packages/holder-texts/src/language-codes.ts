/** The official languages of the EU, each by its own name. */
export const languages = {
  bg: 'Български',
  cs: 'Čeština',
  da: 'Dansk',
  de: 'Deutsch',
  el: 'Ελληνικά',
  en: 'English',
  es: 'Español',
  et: 'Eesti',
  fi: 'Suomi',
  fr: 'Français',
  ga: 'Gaeilge',
  hr: 'Hrvatski',
  hu: 'Magyar',
  it: 'Italiano',
  lt: 'Lietuvių',
  lv: 'Latviešu',
  mt: 'Malti',
  nl: 'Nederlands',
  pl: 'Polski',
  pt: 'Português',
  ro: 'Română',
  sk: 'Slovenčina',
  sl: 'Slovenščina',
  sv: 'Svenska',
} as const

export type Language = keyof typeof languages

export const defaultLanguage = 'en' satisfies Language

const edited: readonly string[] = ['de', 'en', 'es', 'fr', 'it', 'pl'] satisfies Language[]

/** Whether the texts of a language were edited as a whole, here and on the till. Those of all others are machine translations. */
export function isEdited(code: string): boolean {
  return edited.includes(code)
}

export function isLanguage(code: string): code is Language {
  return Object.hasOwn(languages, code)
}

/** The languages that a tenant offers: all, or none that is a machine translation. */
export function listLanguages({ edited_only = false }: { edited_only?: boolean } = {}): Language[] {
  return Object.keys(languages)
    .filter(isLanguage)
    .filter((code) => !edited_only || isEdited(code))
}
