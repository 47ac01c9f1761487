import { isLanguage, languages, type Language } from '../texts/languages.ts'
import { useTexts } from './texts-context.ts'

export type TopBarProps = {
  name: string | undefined
  online: boolean
  language: Language
  onLanguage: (language: Language) => void
}

export function TopBar({ name, online, language, onLanguage }: TopBarProps) {
  const text = useTexts()
  return (
    <header className="top">
      <span className="device">{name}</span>
      <span role="status">{!online && <strong className="offline">{text.offline}</strong>}</span>
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
    </header>
  )
}
