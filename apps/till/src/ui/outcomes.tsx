import { useEffect, useRef } from 'react'
import type { Till } from '../control/till.ts'
import type { Outcome } from '../state/till-state.ts'
import { describeReason } from '../texts/describe-answer.ts'
import { formatTime } from '../texts/format-time.ts'
import { nameTemplate } from '../texts/name-template.ts'
import { Icon } from './icon.tsx'
import { Shape } from './shape.tsx'
import { useTexts } from './texts-context.ts'

/** A drawer with the last checks: when, which, the word and why. In memory only. */
export function Outcomes({ till, outcomes }: { till: Till; outcomes: readonly Outcome[] }) {
  const text = useTexts()
  const drawer = useRef<HTMLDialogElement>(null)
  useEffect(() => drawer.current?.showModal(), [])
  return (
    <dialog ref={drawer} className="drawer" aria-labelledby="outcomes" onClose={till.closePanel}>
      <div className="inside">
        <header>
          <h2 id="outcomes">{text.outcomes.title}</h2>
          <button
            type="button"
            className="tool square"
            aria-label={text.outcomes.close}
            onClick={till.closePanel}
          >
            <Icon name="cross" />
          </button>
        </header>
        {outcomes.length === 0 ? (
          <p className="none">{text.outcomes.empty}</p>
        ) : (
          <ol className="outcomes">
            {outcomes.map((outcome) => (
              <Line key={outcome.key} outcome={outcome} />
            ))}
          </ol>
        )}
        <footer>
          <p>{text.outcomes.note}</p>
          {outcomes.length > 0 && (
            <button type="button" className="btn" onClick={till.endShift}>
              <Icon name="lock" />
              {text.outcomes.end_shift}
            </button>
          )}
        </footer>
      </div>
      <button type="button" className="beside" aria-hidden="true" tabIndex={-1} onClick={till.closePanel} />
    </dialog>
  )
}

function Line({ outcome: { at, template, answer, late } }: { outcome: Outcome }) {
  const text = useTexts()
  const name = nameTemplate(template, text.templates)
  const reasons = [name, describeReason(answer, template, text), late === true && text.outcomes.late]
  return (
    <li>
      <Shape word={answer.word} />
      <span>
        <strong>{text.words[answer.word]}</strong>
        <small>{reasons.filter(Boolean).join(' · ')}</small>
      </span>
      <time dateTime={new Date(at).toISOString()}>{formatTime(at)}</time>
    </li>
  )
}
