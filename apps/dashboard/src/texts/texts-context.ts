import { createContext, use } from 'react'
import type { Formats } from './formats.ts'
import type { Language, Texts } from './languages.ts'
import type { SharedTexts } from './shared-en.ts'

type TextsContextValue = {
  language: Language
  texts: SharedTexts
  formats: Formats
  chooseLanguage: (language: Language) => void
}

export const TextsContext = createContext<TextsContextValue | undefined>(undefined)

function useTextsContext(): TextsContextValue {
  const context = use(TextsContext)
  if (context === undefined) throw new Error('used outside LanguageProvider')
  return context
}

/** The texts of the dashboard in the chosen language, by area: `const text = useTexts().keys`. */
export function useTexts(): Texts {
  return useTextsContext().texts as Texts // the dashboard loads them
}

/** The texts of the building blocks, in the dashboard and in the operator's console. */
export function useSharedTexts(): SharedTexts {
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
