import { useEffect, useRef } from 'react'
import type { Till } from '../control/till.ts'
import type { Answer } from '../state/answer.ts'
import type { Check } from '../state/till-state.ts'
import { describeReason, mayTryAgain } from '../texts/describe-answer.ts'
import { nameTemplate } from '../texts/name-template.ts'
import { Icon } from './icon.tsx'
import { Shape } from './shape.tsx'
import { useTexts } from './texts-context.ts'

type AnswerScreenProps = { till: Till; online: boolean; check: Check; answer: Answer }

/** Fills the screen: word, shape and colour. The focus moves to the word, so that it is read aloud. */
export function AnswerScreen({ till, online, check, answer }: AnswerScreenProps) {
  const text = useTexts()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const again = mayTryAgain(answer)
  return (
    <main className={`answer ${answer.word}`}>
      <div className="said">
        <Shape word={answer.word} />
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {text.words[answer.word]}
          </h1>
          <div className="why">
            <p className="what">
              {describeReason(answer, check.template, text) ?? nameTemplate(check.template, text.templates)}
            </p>
            {answer.word === 'not_checked' && (
              <p className="note">{again ? text.not_checked_note : text.not_checked_note_final}</p>
            )}
          </div>
        </div>
      </div>
      <div className="choices">
        {again && (
          <button type="button" className="btn" disabled={!online} onClick={() => till.press(check.template)}>
            <Icon name="again" />
            {text.answer.again}
          </button>
        )}
        <button type="button" className="btn quiet" onClick={till.next}>
          {text.answer.done}
        </button>
      </div>
    </main>
  )
}
