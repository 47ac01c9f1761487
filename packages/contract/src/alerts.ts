import { z } from 'zod'
import { environments } from './scopes.ts'
import { describe, Timestamp } from './values.ts'
import { alertKinds } from './vocabulary/alert-kinds.ts'

const AlertKind = z.enum(alertKinds)

export type Alert = z.infer<typeof Alert>
export const Alert = z
  .strictObject({
    id: describe(z.uuid(), 'The id of the alert.', '0197a1b2-6f2e-4c3d-8a9b-0c1d2e3f4a5b'),
    kind: describe(AlertKind, 'What happened.', 'quota'),
    environment: describe(
      z.enum(environments).optional(),
      'The environment. Absent if the alert concerns the whole tenant.',
      'live',
    ),
    subject: describe(
      z.string(),
      'What it is about, by kind: the id of the endpoint or device, the day of the quota, the fingerprint of the certificate, the id of the registration, the URL of the trust list, or an id of the change.',
      '2026-11-16',
    ),
    details: describe(
      z.record(z.string(), z.union([z.string(), z.number()])),
      'More about it. The members depend on the kind; ignore those that you do not know.',
      { percent: 80, used: 800, daily_quota: 1000 },
    ),
    raised_at: describe(Timestamp, 'When it was raised.', '2026-11-16T12:00:00.123456Z'),
    resolved_at: describe(
      Timestamp.optional(),
      'When its cause was gone. Absent while it is open.',
      '2026-11-17T00:00:30.123456Z',
    ),
  })
  .meta({ id: 'Alert' })

/** The webhook that is sent to a tenant's alert URL. */
export type AlertPayload = z.infer<typeof AlertPayload>
export const AlertPayload = z
  .strictObject({
    type: describe(z.enum(['alert.raised', 'alert.resolved']), 'What happened.', 'alert.raised'),
    alert: Alert,
    sent_at: describe(Timestamp, 'The time of this attempt.', '2026-11-16T12:00:01.123456Z'),
  })
  .meta({ id: 'AlertPayload' })
