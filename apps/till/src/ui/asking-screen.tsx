import { useEffect, useState } from 'react'
import type { Till } from '../control/till.ts'
import type { Check, CheckSession } from '../state/till-state.ts'
import { fillIn } from '../texts/fill-in.ts'
import { nameTemplate } from '../texts/name-template.ts'
import { NearbyWallet } from './nearby-wallet.tsx'
import { QrCode } from './qr-code.tsx'
import { useTexts } from './texts-context.ts'

type AskingScreenProps = {
  till: Till
  online: boolean
  simulated: boolean
  check: Check
  session?: CheckSession
}

/** Time is shown only towards the end: a countdown hurries people who need longer. */
const shownTime_ms = 60_000
const hintKey = 'vidimus-till-brightness'

export function AskingScreen({ till, online, simulated, check, session }: AskingScreenProps) {
  const text = useTexts()
  const template = nameTemplate(check.template, text.templates)
  const hint = useHintOnce()
  return (
    <main className="asking">
      {session === undefined ? (
        <p className="preparing">{text.asking.preparing}</p>
      ) : (
        <QrCode text={session.wallet_uri} label={fillIn(text.asking.qr_label, { template })} />
      )}
      <div>
        <h1>{template}</h1>
        {session !== undefined && (
          <>
            <p className="scan">{text.asking.scan}</p>
            <NearbyWallet id={session.id} />
            <TimeLeft end_ms={check.pressed_ms + session.ttl_ms} />
          </>
        )}
        <p role="status" className="problem">
          {!online && text.asking.offline}
        </p>
        {hint && session !== undefined && <p className="note">{text.asking.brightness}</p>}
        {simulated && session !== undefined && (
          <a
            href={`/sandbox/wallet?wallet_uri=${encodeURIComponent(session.wallet_uri)}`}
            target="_blank"
            rel="noreferrer"
          >
            {text.asking.sandbox}
          </a>
        )}
        <button type="button" className="secondary" onClick={till.stop}>
          {text.asking.stop}
        </button>
      </div>
    </main>
  )
}

function TimeLeft({ end_ms }: { end_ms: number }) {
  const text = useTexts()
  const [left_ms, setLeft] = useState(() => end_ms - performance.now())
  useEffect(() => {
    const timer = setInterval(() => setLeft(end_ms - performance.now()), 1000)
    return () => clearInterval(timer)
  }, [end_ms])
  if (left_ms > shownTime_ms) return null
  const seconds = Math.max(0, Math.ceil(left_ms / 1000))
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <p role="timer" className="note">
      {fillIn(text.asking.time_left, { time })}
    </p>
  )
}

/** True for the first check on this device: the web cannot set the brightness itself. */
function useHintOnce(): boolean {
  const [first] = useState(() => {
    try {
      return localStorage.getItem(hintKey) === null
    } catch {
      return false // Storage is blocked.
    }
  })
  useEffect(() => {
    try {
      localStorage.setItem(hintKey, 'shown')
    } catch {
      // Storage is blocked: the hint is not shown at all.
    }
  }, [])
  return first
}
