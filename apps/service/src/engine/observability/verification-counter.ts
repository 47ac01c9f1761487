import type { Environment } from '@vidimus/contract'
import { failures } from '@vidimus/protocol'
import { Counter, type Registry } from 'prom-client'

const environments = ['test', 'live'] as const satisfies readonly Environment[]

/** What can become of a verification, and why. Of one that nobody responded to only its creation is counted. */
const ends = [
  { outcome: 'created', reason: '' },
  { outcome: 'completed', reason: '' },
  ...Object.keys(failures).map((reason) => ({ outcome: 'failed', reason })),
]

export type VerificationEnd = { outcome: 'created' | 'completed' | 'failed'; reason?: string | undefined }

/** What the service is for: verifications that were created, and how they ended. */
export function openVerificationCounter(registers: Registry[]) {
  const counter = new Counter({
    name: 'vidimus_verifications_total',
    help: 'Verifications by environment: created, and ended by a response as completed or failed, with the error code as reason.',
    labelNames: ['environment', 'outcome', 'reason'] as const,
    registers,
  })
  const series = new Map<string, () => void>()
  for (const environment of environments)
    for (const { outcome, reason } of ends) {
      const one = counter.labels({ environment, outcome, reason })
      // From the start: an alert on `increase()` would miss the event with which a series appears.
      one.inc(0)
      series.set(`${environment} ${outcome} ${reason}`, () => one.inc())
    }
  return {
    /** A reason outside the list is counted as the most general one, so that nobody adds a series. */
    count(environment: string, { outcome, reason = '' }: VerificationEnd): void {
      const count =
        series.get(`${environment} ${outcome} ${reason}`) ??
        series.get(`${environment} failed credential_malformed`)
      count?.()
    },
  }
}
