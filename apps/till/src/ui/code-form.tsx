import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import type { Till } from '../control/till.ts'
import type { PairingProblem } from '../state/till-state.ts'
import { Icon } from './icon.tsx'
import { useTexts } from './texts-context.ts'

/** The service ignores case, spaces and dashes, and accepts at most 32 characters. */
const maxCodeLength = 32

type CodeFormProps = {
  till: Till
  online: boolean
  problem?: PairingProblem | undefined
  /** The code that was refused. It stays, selected: one wrong character is corrected sooner than eight are typed. */
  refused?: string | undefined
}

export function CodeForm({ till, online, problem, refused = '' }: CodeFormProps) {
  const text = useTexts()
  const [code, setCode] = useState(refused)
  const [field, message] = [useId(), useId()]
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (refused !== '') input.current?.select()
  }, [refused])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() !== '') till.pair(code.trim())
  }
  return (
    <form onSubmit={submit} className="field">
      <label htmlFor={field}>{text.pair.code}</label>
      <input
        ref={input}
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
        {problem !== undefined && (
          <>
            <Icon name="warning" />
            {text.pair.problems[problem]}
          </>
        )}
      </p>
      <button type="submit" className="btn primary" disabled={!online}>
        {text.pair.submit}
      </button>
    </form>
  )
}
