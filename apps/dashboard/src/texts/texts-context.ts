import { createContext, use } from 'react'
import type { Formats } from './formats.ts'
import type { Language, Texts } from './languages.ts'

type TextsContextValue = {
  language: Language
  texts: Texts
  formats: Formats
  chooseLanguage: (language: Language) => void
}

export const TextsContext = createContext<TextsContextValue | undefined>(undefined)

function useTextsContext(): TextsContextValue {
  const context = use(TextsContext)
  if (context === undefined) throw new Error('used outside LanguageProvider')
  return context
}

/** The texts in the chosen language, by area: `const text = useTexts().keys`. */
export function useTexts(): Texts {
  return useTextsContext().texts
}

/** How the chosen language writes numbers, dates and plurals. */
export function useFormats(): Formats {
  return useTextsContext().formats
}

export function useLanguage(): [Language, (language: Language) => void] {
  const { language, chooseLanguage } = useTextsContext()
  return [language, chooseLanguage]
}
