import { createContext, use } from 'react'
import { en, type TillTexts } from '../texts/languages/en.ts'

export const TextsContext = createContext<TillTexts>(en)

export function useTexts(): TillTexts {
  return use(TextsContext)
}
