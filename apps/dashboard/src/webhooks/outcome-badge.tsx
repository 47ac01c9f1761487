import type { DeliveryAttempt, DeliveryDetail, ForwardedEvent } from '@vidimus/contract'
import { deliveryErrors } from '@vidimus/contract/delivery-errors'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import type { Texts } from '../texts/languages.ts'
import { useTexts } from '../texts/texts-context.ts'
import { Badge, type Tone } from '../ui/badge.tsx'

export type AttemptOutcome = (DeliveryAttempt | ForwardedEvent)['outcome']

export const outcomeTones: Record<AttemptOutcome, Tone> = {
  delivered: 'good',
  failed: 'bad',
  refused: 'bad',
  timed_out: 'wait',
  interrupted: 'wait',
  unknown: 'wait',
  unreported: 'wait',
}

/** The outcome of an attempt. `refused`: nothing was sent, because our egress rules do not allow the address, or the endpoint is disabled. */
export function OutcomeBadge({ outcome }: { outcome: AttemptOutcome }) {
  const text = useTexts().webhooks
  return (
    <Badge tone={outcomeTones[outcome]} dot>
      {text.outcomes[outcome]}
    </Badge>
  )
}

const stateTones: Record<DeliveryDetail['state'], Tone> = {
  delivered: 'good',
  waiting: 'wait',
  sending: 'wait',
  exhausted: 'bad',
  unknown: 'wait',
  gone: 'plain',
}

/** The state of an event, after all its attempts so far. */
export function StateBadge({ state }: { state: DeliveryDetail['state'] }) {
  const text = useTexts().webhooks.delivery
  return (
    <Badge tone={stateTones[state]} dot>
      {text.states[state]}
    </Badge>
  )
}

const knownErrors = Object.entries(deliveryErrors) as [keyof typeof deliveryErrors, string][]

/** What a receiver answered, or why nothing reached it, in the member's language; with a code such as ENOTFOUND. */
export function responseText(
  { status, error }: { status?: number | undefined; error?: string | undefined },
  text: Texts['webhooks'],
): string {
  if (status !== undefined) return fillIn(text.responded, { status })
  if (error === undefined) return '–'
  const [, sentence = error, code = ''] = /^(.*?)( \([A-Z0-9_]+\))?$/.exec(error) ?? []
  const known = knownErrors.find(([, each]) => each === sentence)
  return known === undefined ? error : `${text.errors[known[0]]}${code}`
}
