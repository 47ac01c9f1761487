import type { AccessAction } from './audit-actions.ts'

/** Everything that members can be alerted to. This list names what they can choose on their account page. */
export const alertKinds = [
  'endpoint_failing',
  'endpoint_disabled',
  'webhook_url_failing',
  'quota',
  'certificate_expires',
  'registration_expires',
  'registration_refused',
  'trust_list_stale',
  'device_revoked_by_reuse',
  'access_changed',
] as const
export type AlertKind = (typeof alertKinds)[number]

/** What members choose to be mailed about: alerts, and the results of verification links that mail them. */
export const mailKinds = [...alertKinds, 'link_result'] as const
export type MailKind = (typeof mailKinds)[number]

/** What is known about an alert of each kind. It contains no claim, no secret and no id of a verification. */
export type AlertDetails = {
  endpoint_failing: { host: string; description?: string; failing_since?: string }
  endpoint_disabled: { host: string; description?: string; failing_since?: string }
  webhook_url_failing: { host: string; failing_since?: string }
  quota: { percent: number; used: number; daily_quota: number }
  certificate_expires: { certificate: string; expires_at: string; days: number }
  registration_expires: { registration: string; expires_at: string; days: number }
  registration_refused: { registration: string; finding: string }
  trust_list_stale: { url: string; trusted_until?: string }
  device_revoked_by_reuse: { device_name: string }
  /** As in the audit entry; `changed` is its subject. `about` tells the changed thing from others: the first characters of a key, a host, a role. */
  access_changed: {
    action: AccessAction
    actor: string
    actor_name?: string
    changed?: string
    about?: string
  }
}
