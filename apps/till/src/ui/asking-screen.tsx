import type { TillSettings } from '@vidimus/sdk'
import { useEffect, useState } from 'react'
import type { Till } from '../control/till.ts'
import { readStored, writeStored } from '../device/storage.ts'
import type { AskingScreen as AskingState } from '../state/till-state.ts'
import { fillIn } from '../texts/fill-in.ts'
import { formatDuration } from '../texts/format-time.ts'
import { texts, type Language } from '../texts/languages.ts'
import { nameTemplate } from '../texts/name-template.ts'
import { CustomerSide } from './customer-side.tsx'
import { Icon } from './icon.tsx'
import { NearbyWallet } from './nearby-wallet.tsx'
import { QrCode } from './qr-code.tsx'
import { useTexts } from './texts-context.ts'
import { useTimeLeft } from './use-time-left.ts'

type AskingScreenProps = Omit<AskingState, 'name' | 'device'> & {
  till: Till
  simulated: boolean
  settings: TillSettings | undefined
  /** Of staff. The customer's begins with it, and ends with the check. */
  language: Language
  offered: readonly Language[]
}

const hintKey = 'vidimus-till-brightness'

export function AskingScreen(props: AskingScreenProps) {
  const { till, simulated, settings, offered, check, open, code, scanned, code_again, failed_once } = props
  const text = useTexts()
  const [chosen, setChosen] = useState(props.language)
  const language = offered.includes(chosen) ? chosen : props.language
  const first = useFirstCheck()
  const waiting = scanned && !code_again
  return (
    <>
      <main className="asking">
        <section className="codebox">
          {code !== undefined && !waiting && (
            <MovingCode
              code={code}
              template={check.template}
              language={language}
              {...(first && { hint: text.asking.brightness })}
            />
          )}
          {code === undefined && !waiting && <p className="preparing">{text.asking.preparing}</p>}
          <div role="status" className={waiting ? 'scanned' : 'unseen'}>
            {waiting && (
              <>
                <Icon name="phone" />
                <b>{text.asking.scanned}</b>
                <span>{text.asking.waiting}</span>
                <span className="pulse" aria-hidden="true">
                  <i />
                  <i />
                  <i />
                </span>
              </>
            )}
          </div>
        </section>
        <CustomerSide
          settings={settings}
          template={check.template}
          purpose={check.purpose}
          next={waiting ? 'agree' : failed_once ? 'try_again' : 'scan'}
          language={language}
          offered={offered}
          onLanguage={setChosen}
        />
      </main>
      <footer className="staff">
        <p>
          <b>{nameTemplate(check.template, text.templates)}</b>
          {open !== undefined && <TimeLeft end_ms={check.pressed_ms + open.ttl_ms} />}
        </p>
        {open !== undefined && <NearbyWallet id={open.id} asked={waiting} />}
        {simulated && open !== undefined && (
          <a
            className="btn"
            href={`/sandbox/wallet?wallet_uri=${encodeURIComponent(open.wallet_uri)}`}
            target="_blank"
            rel="noreferrer"
          >
            {text.asking.sandbox}
          </a>
        )}
        {waiting && (
          <button type="button" className="btn" onClick={till.showCode}>
            {text.asking.code_again}
          </button>
        )}
        <button type="button" className="btn stop" onClick={till.stop}>
          <Icon name="stop" />
          {text.asking.stop}
        </button>
      </footer>
    </>
  )
}

type MovingCodeProps = { code: string; template: string; language: Language; hint?: string }

/** Below the code, the customer reads that it changes; on the first check, staff read what helps phones to read it. */
function MovingCode({ code, template, language, hint }: MovingCodeProps) {
  const text = texts(language)
  const label = fillIn(text.asking.qr_label, { template: nameTemplate(template, text.templates) })
  return (
    <>
      <QrCode text={code} label={label} />
      <p className="life">
        {hint ?? (
          <>
            {/* Starts again with each code. */}
            <i key={code} aria-hidden="true" />
            <span lang={language}>{text.asking.code_life}</span>
          </>
        )}
      </p>
    </>
  )
}

function TimeLeft({ end_ms }: { end_ms: number }) {
  const text = useTexts()
  const time = formatDuration(useTimeLeft(end_ms))
  return <span role="timer"> · {fillIn(text.asking.time_left, { time })}</span>
}

/** True for the first check on this device: the web cannot set the brightness itself. */
function useFirstCheck(): boolean {
  const [first] = useState(() => readStored(hintKey) === undefined)
  useEffect(() => writeStored(hintKey, 'shown'), [])
  return first
}
