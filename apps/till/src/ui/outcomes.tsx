import type { Outcome } from '../state/till-state.ts'
import { nameTemplate } from '../texts/name-template.ts'
import { Shape } from './shape.tsx'
import { useTexts } from './texts-context.ts'

/** The last checks: when, which, and the word. In memory only. */
export function Outcomes({ outcomes, onEndShift }: { outcomes: readonly Outcome[]; onEndShift: () => void }) {
  const text = useTexts()
  return (
    <section className="outcomes">
      <h2>{text.outcomes.title}</h2>
      {outcomes.length === 0 ? (
        <p>{text.outcomes.empty}</p>
      ) : (
        <>
          <ol>
            {outcomes.map(({ key, at, template, word }) => (
              <li key={key}>
                <Shape word={word} />
                <time dateTime={new Date(at).toISOString()}>{formatTime(at)}</time>
                <span>{nameTemplate(template, text.templates)}</span>
                <strong>{text.words[word]}</strong>
              </li>
            ))}
          </ol>
          <button type="button" className="secondary" onClick={onEndShift}>
            {text.outcomes.end_shift}
          </button>
        </>
      )}
      <p className="note">{text.outcomes.note}</p>
    </section>
  )
}

/** In the language of the texts, and if the browser prefers a region of it, as is usual there. */
function formatTime(at: number): string {
  const { lang } = document.documentElement
  const locale = navigator.languages.find((tag) => tag.startsWith(lang)) ?? lang
  return new Date(at).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' })
}
