import { useState } from 'react'
import { useTexts } from '../texts/texts-context.ts'
import { Badge } from '../ui/badge.tsx'
import { Time } from '../ui/time.tsx'

/** As early as the overview warns. */
const soon_ms = 30 * 86_400_000

/** The day on which a registration ends, marked if that is soon or past. */
export function Expiry({ at }: { at: string | undefined }) {
  const text = useTexts().registrations
  const [now] = useState(() => Date.now())
  if (at === undefined) return <span className="text-soft">{text.no_end}</span>
  const left = Date.parse(at) - now
  return (
    <span className="grid justify-items-start gap-1 max-sm:justify-items-end">
      <span className="whitespace-nowrap">
        <Time at={at} form="day" />
      </span>
      {left <= 0 && <Badge tone="bad">{text.expired}</Badge>}
      {left > 0 && left <= soon_ms && <Badge tone="wait">{text.expires_soon}</Badge>}
    </span>
  )
}
