import { useId, useState, type FormEvent } from 'react'
import type { Till } from '../control/till.ts'
import type { PairingProblem } from '../state/till-state.ts'
import { useTexts } from './texts-context.ts'

/** The service ignores case, spaces and dashes, and accepts at most 32 characters. */
const maxCodeLength = 32

export function CodeForm({
  till,
  online,
  problem,
}: {
  till: Till
  online: boolean
  problem?: PairingProblem | undefined
}) {
  const text = useTexts()
  const [code, setCode] = useState('')
  const [field, message] = [useId(), useId()]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() !== '') till.pair(code.trim())
  }
  const explanation = online ? problem && text.pair.problems[problem] : text.offline
  return (
    <form onSubmit={submit} className="code">
      <label htmlFor={field}>{text.pair.code}</label>
      <input
        id={field}
        value={code}
        onChange={({ target }) => setCode(target.value)}
        maxLength={maxCodeLength}
        placeholder="VD-XXXX-XXXX"
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="go"
        aria-describedby={message}
        aria-invalid={problem === 'wrong_code'}
      />
      <p id={message} role="alert" className="problem">
        {explanation}
      </p>
      <button type="submit" className="primary" disabled={!online}>
        {text.pair.submit}
      </button>
    </form>
  )
}
