import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { createFormats } from './formats.ts'
import { chooseLocale, languages, type Language, type Texts } from './languages.ts'
import { storeLanguage } from './stored-language.ts'
import { TextsContext } from './texts-context.ts'

type LoadedLanguage = { language: Language; texts: Texts }

export async function loadLanguage(language: Language): Promise<LoadedLanguage> {
  return { language, texts: await languages[language].load() }
}

/** Provides the texts of a language, and loads another when the user chooses it. */
export function LanguageProvider({ initial, children }: { initial: LoadedLanguage; children: ReactNode }) {
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
        loadLanguage(next).then(
          // Of two quick choices the last one counts, whichever loads first.
          (loaded) => chosen.current === next && setLoaded(loaded),
          // The texts cannot be downloaded now. The next visit uses the stored choice.
          () => undefined,
        )
      },
    }),
    [language, texts],
  )
  return <TextsContext value={context}>{children}</TextsContext>
}
