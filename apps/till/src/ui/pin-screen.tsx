import { useEffect, useState } from 'react'
import type { Till } from '../control/till.ts'
import type { Panel, PinProblem } from '../state/till-state.ts'
import { fillIn } from '../texts/fill-in.ts'
import { formatDuration } from '../texts/format-time.ts'
import { Icon } from './icon.tsx'
import { useTexts } from './texts-context.ts'
import { useTimeLeft } from './use-time-left.ts'

const pinLength = 4
const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9']

type PinScreenProps = { till: Till } & Omit<Extract<Panel, { name: 'pin' }>, 'name'>

/** Four digits, by touch or keyboard. The fourth sends them. */
export function PinScreen({ till, purpose, checking, problem }: PinScreenProps) {
  const text = useTexts()
  const [pin, setPin] = useState('')
  const enter = (digit: string) => {
    if (checking) return
    const entered = pin + digit
    setPin(entered.length === pinLength ? '' : entered)
    if (entered.length === pinLength) till.enterPin(entered)
  }
  const erase = () => setPin(pin.slice(0, -1))
  useEffect(() => {
    const press = ({ key, repeat }: KeyboardEvent) => {
      if (/^\d$/.test(key) && !repeat) enter(key)
      if (key === 'Backspace') erase()
      if (key === 'Escape') till.closePanel()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
  const count = checking ? pinLength : pin.length
  return (
    <main className="mid">
      <section className="card pin">
        <h1>{text.pin[purpose]}</h1>
        <p
          className="dots"
          role="img"
          aria-label={fillIn(text.pin.entered, { count: String(count), total: String(pinLength) })}
        >
          {Array.from({ length: pinLength }, (_, place) => (
            <i key={place} className={place < count ? 'on' : ''} />
          ))}
        </p>
        <p role="alert" className="problem">
          {problem !== undefined && !checking && pin === '' && <Problem problem={problem} />}
        </p>
        <div className="pad">
          {digits.map((digit) => (
            <button key={digit} type="button" onClick={() => enter(digit)}>
              {digit}
            </button>
          ))}
          <button type="button" className="plain" onClick={till.closePanel}>
            {text.pin.cancel}
          </button>
          <button type="button" onClick={() => enter('0')}>
            0
          </button>
          <button type="button" className="plain" aria-label={text.pin.delete} onClick={erase}>
            <Icon name="backspace" />
          </button>
        </div>
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
