import { isLanguage, languages, type Language } from '../texts/languages.ts'
import { useTexts } from './texts-context.ts'

export type LanguageChoiceProps = { language: Language; onLanguage: (language: Language) => void }

/** The language of staff, for the whole till. */
export function LanguageChoice({ language, onLanguage }: LanguageChoiceProps) {
  const text = useTexts()
  return (
    <select
      aria-label={text.language}
      value={language}
      onChange={({ target: { value } }) => {
        if (isLanguage(value)) onLanguage(value)
      }}
    >
      {Object.entries(languages).map(([code, title]) => (
        <option key={code} value={code} lang={code}>
          {title}
        </option>
      ))}
    </select>
  )
}
