import type { ReactNode } from 'react'
import type { Alert } from '@vidimus/contract'
import type { Formats } from '../texts/formats.ts'
import type { Texts } from '../texts/languages.ts'
import { actionLabel } from '../audit/action-labels.ts'
import { Sentence } from '../texts/sentence.tsx'
import { Time } from '../ui/time.tsx'

/** What an alert says, from its kind and details. */
export function describeAlert(
  { kind, subject, details }: Alert,
  { alerts, audit }: Texts,
  formats: Formats,
): ReactNode {
  const detail = (name: string) => String(details[name] ?? '')
  const day = details['expires_at']
  const about = details['about'] === undefined ? '' : `(${detail('about')})`
  return (
    <Sentence
      text={alerts.messages[kind]}
      values={{
        name: detail('description') || detail('host'),
        percent: detail('percent'),
        quota: formats.integer(Number(details['daily_quota'] ?? 0)),
        certificate: detail('certificate'),
        registration: detail('registration'),
        url: detail('url'),
        device: detail('device_name'),
        change: [actionLabel(detail('action'), audit.actions), about].filter(Boolean).join(' '),
        actor:
          detail('actor_name') || (detail('actor') === 'operator' ? audit.kinds.operator : detail('actor')),
        // The subject of a quota is its day, in UTC.
        day:
          day === undefined ? (
            kind === 'quota' && formats.utcDay(new Date(subject), 'short')
          ) : (
            <Time at={String(day)} form="day" />
          ),
      }}
    />
  )
}
