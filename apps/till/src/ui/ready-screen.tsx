import { useId } from 'react'
import type { Till } from '../control/till.ts'
import type { TillDevice, TillState } from '../state/till-state.ts'
import { nameTemplate } from '../texts/name-template.ts'
import { Outcomes } from './outcomes.tsx'
import { useTexts } from './texts-context.ts'
import { UpdateNotice } from './update-notice.tsx'

export function ReadyScreen({ till, state, device }: { till: Till; state: TillState; device: TillDevice }) {
  const text = useTexts()
  const reason = useId()
  const { online, withdrawn } = state
  return (
    <main className="ready">
      <section>
        <h1>{text.ready.title}</h1>
        {!online && (
          <p id={reason} className="problem">
            {text.ready.offline}
          </p>
        )}
        {device.allowed_templates.length === 0 && <p>{text.ready.no_templates}</p>}
        <div className="templates">
          {device.allowed_templates.map((key) => (
            <button
              key={key}
              type="button"
              className="template"
              disabled={!online || withdrawn.includes(key)}
              aria-describedby={online ? undefined : reason}
              onClick={() => till.press(key)}
            >
              {nameTemplate(key, text.templates)}
              {withdrawn.includes(key) && <small>{text.ready.withdrawn}</small>}
            </button>
          ))}
        </div>
        <UpdateNotice idle={state.outcomes.length === 0} />
      </section>
      <Outcomes outcomes={state.outcomes} onEndShift={till.endShift} />
    </main>
  )
}
