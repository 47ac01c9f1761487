import { component as english } from '@vidimus/holder-texts/en'
import type { HolderSession } from './holder-session.ts'
import type { SessionService } from './service.ts'

export type ComponentTexts = Readonly<Record<keyof typeof english, string>>

export type LanguageTexts = { lang: string; texts: ComponentTexts }

export const englishTexts: LanguageTexts = { lang: 'en', texts: english }

/** The texts of the session's language. If they cannot be loaded, the element speaks English, and says so. */
export async function loadTexts(
  { lang }: HolderSession,
  service: Pick<SessionService, 'readTexts'>,
): Promise<LanguageTexts> {
  if (lang === 'en') return englishTexts
  try {
    return { lang, texts: mergeTexts(await service.readTexts(lang)) }
  } catch {
    return englishTexts
  }
}

/** A text that is missing is never empty: it stays English. */
export function mergeTexts(loaded: unknown): ComponentTexts {
  const texts = Object.entries(loaded ?? {}).filter(([, text]) => typeof text === 'string')
  return { ...english, ...Object.fromEntries(texts) }
}

/** Replaces each `{name}` by its value. A value is inserted as it is. */
export function fillIn(text: string, values: Record<string, string>): string {
  return text.replaceAll(/\{([a-z]+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)
}
