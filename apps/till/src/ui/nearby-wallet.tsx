import { useEffect, useRef, useState } from 'react'
import {
  connectSession,
  createDcCalls,
  type DcCalls,
  type StateChange,
} from '@vidimus/component/digital-credentials'
import { useTexts } from './texts-context.ts'

type CallState = 'unavailable' | 'ready' | 'called' | 'ended'

/**
 * Asks a wallet through the browser, where it can: the browser finds the holder's phone itself, and makes sure that it is near. The
 * check goes on to wait for the answer as with the QR code, which stays beside it. Once a wallet has the request, nothing
 * more is offered.
 */
export function NearbyWallet({ id, asked }: { id: string; asked: boolean }) {
  const text = useTexts()
  const [state, setState] = useState<CallState>('unavailable')
  const calls = useRef<DcCalls>(undefined)
  useEffect(() => {
    const stopping = new AbortController()
    const { signal } = stopping
    const service = connectSession({ base_url: location.origin, id, lang: '', signal })
    const opened = createDcCalls({
      service,
      onChange: (change) => {
        if (!signal.aborted) setState((before) => states[change.kind] ?? before)
      },
    })
    calls.current = opened
    opened.prepare()
    return () => {
      stopping.abort()
      opened.close()
    }
  }, [id])
  if (state === 'unavailable') return null
  return (
    <>
      {(!asked || state === 'called') && (
        <button
          type="button"
          className="btn"
          disabled={state === 'called'}
          onClick={() => calls.current?.call()}
        >
          {text.asking.nearby}
        </button>
      )}
      <p role="status" className="problem">
        {state === 'ended' && text.asking.nearby_ended}
      </p>
    </>
  )
}

const states: Partial<Record<StateChange['kind'], CallState>> = {
  dc_unavailable: 'unavailable',
  dc_ready: 'ready',
  dc_called: 'called',
  dc_ended: 'ended',
  answer_refused: 'ended',
}
