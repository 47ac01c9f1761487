import { isLanguage, languages, type Language } from '../texts/languages.ts'
import { useTexts } from './texts-context.ts'

export type LanguageChoiceProps = {
  language: Language
  offered: readonly Language[]
  onLanguage: (language: Language) => void
}

/** The language of staff, for the whole till. */
export function LanguageChoice({ language, offered, onLanguage }: LanguageChoiceProps) {
  const text = useTexts()
  return (
    <select
      aria-label={text.language}
      value={language}
      onChange={({ target: { value } }) => {
        if (isLanguage(value)) onLanguage(value)
      }}
    >
      {offered.map((code) => (
        <option key={code} value={code} lang={code}>
          {languages[code]}
        </option>
      ))}
    </select>
  )
}
