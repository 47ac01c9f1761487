import { Sentence } from '../texts/sentence.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { Time } from '../ui/time.tsx'
import { useMe } from './shell-context.ts'

/** Tells every member on every page that the operator has suspended or closed the account, and why, or has not approved it. */
export function SuspensionNotice() {
  const { suspension: text, approval: approvals } = useTexts().shell
  const { suspension, approval } = useMe()
  if (approval !== undefined)
    return (
      <p role="status" className="mb-6 rounded border border-wait/40 bg-wait/10 px-4 py-3 text-sm">
        {approvals[approval]}
      </p>
    )
  if (suspension === undefined) return null
  const { state, since, reason } = suspension
  return (
    <div role="status" className="mb-6 rounded border border-wait/40 bg-wait/10 px-4 py-3 text-sm">
      <p className="font-semibold">
        <Sentence text={text[state]} values={{ since: <Time at={since} /> }} />
      </p>
      {reason !== undefined && <p className="mt-1 wrap-anywhere">{reason}</p>}
      <p className="mt-1">{text.goes_on}</p>
    </div>
  )
}
