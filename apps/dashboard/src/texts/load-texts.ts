import type { HolderTexts } from '@vidimus/holder-texts'
import type { Language, Texts } from './languages.ts'
import type { LoadTexts } from './language-provider.tsx'

/** Only the chosen language is loaded. */
export const loadTexts: LoadTexts<Texts> = {
  de: async () => (await import('./de.ts')).de,
  en: async () => (await import('./en.ts')).en,
}

/** What holders read, for previews. */
export const loadHolderTexts: Record<Language, () => Promise<HolderTexts>> = {
  de: async () => (await import('@vidimus/holder-texts/languages/de')).de,
  en: async () => (await import('@vidimus/holder-texts/en')).en,
}
