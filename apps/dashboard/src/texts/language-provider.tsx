import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { createFormats } from './formats.ts'
import { chooseLocale, type Language } from './languages.ts'
import type { SharedTexts } from './shared-en.ts'
import { storeLanguage } from './stored-language.ts'
import { TextsContext } from './texts-context.ts'

export type LoadTexts<AppTexts extends SharedTexts = SharedTexts> = Record<Language, () => Promise<AppTexts>>
type LoadedLanguage = { language: Language; texts: SharedTexts }

export async function loadLanguage(load: LoadTexts, language: Language): Promise<LoadedLanguage> {
  return { language, texts: await load[language]() }
}

type LanguageProviderProps = { load: LoadTexts; initial: LoadedLanguage; children: ReactNode }

/** Provides the texts of a language, and loads another when the user chooses it. */
export function LanguageProvider({ load, initial, children }: LanguageProviderProps) {
  const [{ language, texts }, setLoaded] = useState(initial)
  const chosen = useRef(language)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const context = useMemo(
    () => ({
      language,
      texts,
      formats: createFormats(chooseLocale(language, navigator.languages)),
      chooseLanguage: (next: Language) => {
        chosen.current = next
        storeLanguage(next)
        loadLanguage(load, next).then(
          // Of two quick choices the last one counts, whichever loads first.
          (loaded) => chosen.current === next && setLoaded(loaded),
          // The texts cannot be downloaded now. The next visit uses the stored choice.
          () => undefined,
        )
      },
    }),
    [language, texts, load],
  )
  return <TextsContext value={context}>{children}</TextsContext>
}
