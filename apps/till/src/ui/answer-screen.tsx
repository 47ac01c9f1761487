import { useEffect, useRef, useState } from 'react'
import type { Till } from '../control/till.ts'
import type { Answer } from '../state/answer.ts'
import type { Check } from '../state/till-state.ts'
import type { TillTexts } from '../texts/languages/en.ts'
import { nameTemplate } from '../texts/name-template.ts'
import { Shape } from './shape.tsx'
import { useTexts } from './texts-context.ts'

type AnswerScreenProps = { till: Till; check: Check; answer: Answer; portrait?: string }

/** Fills the screen: word, shape and colour. The focus moves to the word, so that it is read aloud. */
export function AnswerScreen({ till, check, answer, portrait }: AnswerScreenProps) {
  const text = useTexts()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const reason = findReason(answer, text)
  return (
    <main className={`answer ${answer.word}`}>
      <Shape word={answer.word} />
      <div className="said">
        <h1 ref={heading} tabIndex={-1}>
          {text.words[answer.word]}
        </h1>
        <p className="template-name">{nameTemplate(check.template, text.templates)}</p>
        {reason !== undefined && <p className="reason">{reason}</p>}
        {answer.word === 'not_checked' && <p className="reason">{text.not_checked_note}</p>}
        <Portrait source={portrait} />
      </div>
      <button type="button" className="next" onClick={till.next}>
        {text.answer.next}
      </button>
    </main>
  )
}

function findReason(answer: Answer, text: TillTexts): string | undefined {
  switch (answer.word) {
    case 'yes':
      return undefined
    case 'no':
      return text.no[answer.reason]
    case 'not_checked':
      return text.not_checked[answer.reason]
  }
}

/** Some documents have JPEG 2000 images, which only Safari shows. */
function Portrait({ source }: { source: string | undefined }) {
  const text = useTexts()
  const [had] = useState(source !== undefined)
  const [unreadable, setUnreadable] = useState(false)
  if (!had) return null
  if (source === undefined) return <p className="reason">{text.answer.photo_gone}</p>
  if (unreadable) return <p className="reason">{text.answer.photo_unreadable}</p>
  return (
    <figure>
      <img src={source} alt={text.answer.photo} draggable={false} onError={() => setUnreadable(true)} />
      <figcaption>{text.answer.compare}</figcaption>
    </figure>
  )
}
