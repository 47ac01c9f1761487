import { z } from 'zod'
import { Alert } from '../alerts.ts'
import { Count, describe, Timestamp, Uri } from '../values.ts'
import { mailKinds } from '../vocabulary/alert-kinds.ts'

const MailKind = z.enum(mailKinds)

/** Open alerts first, then the latest resolved ones. */
export type AlertList = z.infer<typeof AlertList>
export const AlertList = z.strictObject({ data: z.array(Alert) }).meta({ id: 'AlertList' })

const MailLanguage = z.enum(['en', 'de'])

/** Which alerts and results a member gets by mail. */
export type AlertChoices = z.infer<typeof AlertChoices>
export const AlertChoices = z
  .strictObject({
    /** False if the operator has not configured a mail server. */
    mail_available: z.boolean(),
    kinds: z.array(z.strictObject({ kind: MailKind, wanted: z.boolean() })),
    language: MailLanguage,
  })
  .meta({ id: 'AlertChoices' })

export type ChangeAlertChoices = z.infer<typeof ChangeAlertChoices>
export const ChangeAlertChoices = z
  .strictObject({
    kinds: z.partialRecord(MailKind, z.boolean()).optional(),
    language: MailLanguage.optional(),
  })
  .meta({ id: 'ChangeAlertChoices' })

const exampleUrl = 'https://shop.example.com/hooks/alerts'

/** The tenant's webhook for alerts, if it has one. */
export type AlertWebhookState = z.infer<typeof AlertWebhookState>
export const AlertWebhookState = z
  .strictObject({
    webhook: describe(
      z.strictObject({
        url: describe(z.string(), 'Where alerts are sent.', exampleUrl),
        created_at: describe(Timestamp, 'When it was set up.', '2026-11-15T09:00:00.123456Z'),
        waiting: describe(Count, 'Events that are not delivered yet.', 0),
        previous_retires_at: describe(
          Timestamp,
          'Until then the previous secret signs too.',
          '2026-11-16T09:00:00.123456Z',
        ).optional(),
        last_attempt_at: describe(
          Timestamp,
          'When something was last sent to it.',
          '2026-11-15T11:30:00.123456Z',
        ).optional(),
        last_outcome: describe(z.string(), 'What became of it, in English.', 'delivered').optional(),
      }),
      'Absent if alerts are sent nowhere.',
    ).optional(),
  })
  .meta({ id: 'AlertWebhookState' })

export type AlertWebhook = z.infer<typeof AlertWebhook>
export const AlertWebhook = z
  .strictObject({
    ...AlertWebhookState.shape,
    secret: describe(
      z.string(),
      'Starts with `whsec_`. Shown only once, when it is created.',
      'whsec_…',
    ).optional(),
  })
  .meta({ id: 'AlertWebhook' })

export type SetAlertWebhook = z.infer<typeof SetAlertWebhook>
export const SetAlertWebhook = z
  .strictObject({
    url: describe(Uri, 'Where to send alerts: http or https, on a public address.', exampleUrl),
  })
  .meta({ id: 'SetAlertWebhook' })
