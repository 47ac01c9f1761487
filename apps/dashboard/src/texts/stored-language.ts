import { chooseLanguage, isLanguage, type Language } from './languages.ts'

const storageKey = 'language'

/** The language that the user chose in this browser, or else the one that the browser prefers. */
export function readLanguage(): Language {
  try {
    const stored = localStorage.getItem(storageKey) ?? ''
    if (isLanguage(stored)) return stored
  } catch {
    // Storage is blocked.
  }
  return chooseLanguage(navigator.languages)
}

export function storeLanguage(language: Language): void {
  try {
    localStorage.setItem(storageKey, language)
  } catch {
    // Storage is blocked: the choice lasts until the page is closed.
  }
}
