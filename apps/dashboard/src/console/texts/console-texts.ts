import type { LoadTexts } from '../../texts/language-provider.tsx'
import { useSharedTexts } from '../../texts/texts-context.ts'
import type { ConsoleTexts } from './en.ts'

export type { ConsoleTexts }

/** Only the chosen language is loaded. */
export const loadConsoleTexts: LoadTexts<ConsoleTexts> = {
  de: async () => (await import('./de.ts')).de,
  en: async () => (await import('./en.ts')).en,
}

/** The texts of the console in the chosen language, by area. */
export function useConsoleTexts(): ConsoleTexts {
  return useSharedTexts() as ConsoleTexts // the console loads them
}
