import { useEffect, useState } from 'react'
import type { Till } from '../control/till.ts'
import type { Panel, PinProblem } from '../state/till-state.ts'
import { fillIn } from '../texts/fill-in.ts'
import { formatDuration } from '../texts/format-time.ts'
import { Icon } from './icon.tsx'
import { useTexts } from './texts-context.ts'
import { useTimeLeft } from './use-time-left.ts'

const minLength = 4
const maxLength = 8
const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9']

type PinScreenProps = { till: Till } & Omit<Extract<Panel, { name: 'pin' }>, 'name'>

/** Four to eight digits, by touch or keyboard. */
export function PinScreen({ till, purpose, checking, problem }: PinScreenProps) {
  const text = useTexts()
  const [pin, setPin] = useState('')
  const add = (digit: string) => setPin((pin + digit).slice(0, maxLength))
  const erase = () => setPin(pin.slice(0, -1))
  const complete = pin.length >= minLength && !checking
  const enter = () => {
    if (!complete) return
    setPin('')
    till.enterPin(pin)
  }
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key } = event
      if (/^\d$/.test(key)) add(key)
      if (key === 'Backspace') erase()
      if (key === 'Escape') till.closePanel()
      if (key !== 'Enter' || !complete) return
      // Otherwise the button that has the focus would be pressed as well.
      event.preventDefault()
      enter()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
  return (
    <main className="mid">
      <section className="card pin">
        <h1>{text.pin[purpose]}</h1>
        <p className="dots" role="img" aria-label={fillIn(text.pin.entered, { count: String(pin.length) })}>
          {Array.from({ length: Math.max(minLength, pin.length) }, (_, place) => (
            <i key={place} className={place < pin.length ? 'on' : ''} />
          ))}
        </p>
        <p role="alert" className="problem">
          {problem !== undefined && !checking && pin === '' && <Problem problem={problem} />}
        </p>
        <div className="pad">
          {digits.map((digit) => (
            <button key={digit} type="button" onClick={() => add(digit)}>
              {digit}
            </button>
          ))}
          <button type="button" className="plain" aria-label={text.pin.delete} onClick={erase}>
            <Icon name="backspace" />
          </button>
          <button type="button" onClick={() => add('0')}>
            0
          </button>
          <button
            type="button"
            className="go"
            aria-label={text.pin.enter}
            disabled={!complete}
            onClick={enter}
          >
            <Icon name="tick" />
          </button>
        </div>
        <button type="button" className="btn" onClick={till.closePanel}>
          {text.pin.cancel}
        </button>
        <p>{text.pin.forgotten}</p>
      </section>
    </main>
  )
}

function Problem({ problem }: { problem: PinProblem }) {
  const text = useTexts()
  switch (problem.kind) {
    case 'wrong':
      return fillIn(text.pin.wrong, { count: String(problem.tries_left) })
    case 'locked':
      return <Locked until_ms={problem.locked_until_ms} />
    case 'not_checked':
      return text.pin.not_checked
  }
}

function Locked({ until_ms }: { until_ms: number }) {
  const text = useTexts()
  const left_ms = useTimeLeft(until_ms)
  return left_ms > 0 ? fillIn(text.pin.locked, { time: formatDuration(left_ms) }) : null
}
