import { z } from 'zod'
import { Alert, AlertKind } from '../alerts.ts'
import { Count, Timestamp, Uri } from '../values.ts'

/** Open alerts first, then the latest resolved ones. */
export type AlertList = z.infer<typeof AlertList>
export const AlertList = z.strictObject({ data: z.array(Alert) }).meta({ id: 'AlertList' })

const MailLanguage = z.enum(['en', 'de'])

/** Which alerts a member gets by mail. */
export type AlertChoices = z.infer<typeof AlertChoices>
export const AlertChoices = z
  .strictObject({
    /** False if the operator has not configured a mail server. */
    mail_available: z.boolean(),
    kinds: z.array(z.strictObject({ kind: AlertKind, wanted: z.boolean() })),
    language: MailLanguage,
  })
  .meta({ id: 'AlertChoices' })

export type ChangeAlertChoices = z.infer<typeof ChangeAlertChoices>
export const ChangeAlertChoices = z
  .strictObject({
    kinds: z.partialRecord(AlertKind, z.boolean()).optional(),
    language: MailLanguage.optional(),
  })
  .meta({ id: 'ChangeAlertChoices' })

/** The tenant's webhook for alerts, if it has one. */
export type AlertWebhookState = z.infer<typeof AlertWebhookState>
export const AlertWebhookState = z
  .strictObject({
    webhook: z
      .strictObject({
        url: z.string(),
        created_at: Timestamp,
        /** Events that are not delivered yet. */
        waiting: Count,
        previous_retires_at: Timestamp.optional(),
        last_attempt_at: Timestamp.optional(),
        last_outcome: z.string().optional(),
      })
      .optional(),
  })
  .meta({ id: 'AlertWebhookState' })

export type AlertWebhook = z.infer<typeof AlertWebhook>
export const AlertWebhook = z
  .strictObject({
    ...AlertWebhookState.shape,
    secret: z.string().optional().meta({ description: 'Shown only once, when it is created.' }),
  })
  .meta({ id: 'AlertWebhook' })

export type SetAlertWebhook = z.infer<typeof SetAlertWebhook>
export const SetAlertWebhook = z.strictObject({ url: Uri }).meta({ id: 'SetAlertWebhook' })
