import { type AccessTexts, type NotificationTexts, openFormats } from './alert-texts.ts'

const { day, minute, number } = openFormats('en-GB')

const access: AccessTexts = {
  'key.created': 'An API key was created',
  'member.invited': 'A member was invited',
  'member.passkey_added': 'A passkey was added',
  'member.role_changed': 'The role of a member was changed',
  'openid_client.changed': 'An OpenID client was changed',
  'openid_client.created': 'An OpenID client was created',
  'openid_client.secret_rolled': 'An OpenID client got a new secret',
  'sealing_key.activated': 'A sealing key was activated: results are encrypted to it',
  'sealing_key.retired': 'A sealing key was retired',
  'support.granted': 'The operator’s support may look',
  'support.taken': 'The operator’s support took access',
  'tenant.alert_webhook_changed': 'The webhook for alerts was changed',
  'tenant.identity_changed': 'The access certificate was changed',
  'tenant.trust_changed': 'The trusted issuers were changed',
  'webhook_endpoint.changed': 'A webhook endpoint was changed',
  'webhook_endpoint.created': 'A webhook endpoint was created',
  'webhook_endpoint.secret_rotated': 'A webhook endpoint got a new secret',
  'webhook_secret.revealed': 'The signing secret of webhooks was shown',
  'webhook_secret.rotated': 'The signing secret of webhooks was replaced',
}

export const en: NotificationTexts = {
  alerts: {
    endpoint_failing: ({ host, description, failing_since }) => ({
      title: `Webhooks to ${description ?? host} are failing`,
      body: `Webhooks to the endpoint ${named(host, description)} have failed${failing_since === undefined ? '' : ` since ${day(failing_since)}`}. They are tried again. If this lasts for five days, the endpoint is disabled.`,
    }),
    endpoint_disabled: ({ host, description }) => ({
      title: `The webhook endpoint ${description ?? host} was disabled`,
      body: `Webhooks to the endpoint ${named(host, description)} failed for five days, so it was disabled. Repair the receiver, enable the endpoint, and resend what was missed.`,
    }),
    webhook_url_failing: ({ host, failing_since }) => ({
      title: `Webhooks to ${host} are failing`,
      body: `Webhooks to addresses at ${host}, which verifications name as webhook_url, have failed${failing_since === undefined ? '' : ` since ${day(failing_since)}`}. They are tried again. Repair the receiver, and resend what was missed.`,
    }),
    quota: ({ percent, used, daily_quota }) =>
      percent >= 100
        ? {
            title: 'Today’s quota is used up',
            body: `All ${number(daily_quota)} verifications of today’s quota are used. New ones are refused until midnight UTC.`,
          }
        : {
            title: `${percent} % of today’s quota is used`,
            body: `${number(used)} of today’s ${number(daily_quota)} verifications are used. When none are left, new ones are refused until midnight UTC.`,
          },
    certificate_expires: ({ certificate, expires_at, days }) => ({
      title:
        days === 0 ? 'The access certificate has expired' : `The access certificate expires ${within(days)}`,
      body: `The access certificate ${certificate} ${days === 0 ? 'expired' : 'expires'} on ${day(expires_at)}. Wallets refuse requests that are signed with an expired certificate. Renew it and set it in the settings.`,
    }),
    registration_expires: ({ registration, expires_at, days }) => ({
      title: days === 0 ? 'A registration has expired' : `A registration expires ${within(days)}`,
      body: `The registration “${registration}” ${days === 0 ? 'expired' : 'expires'} on ${day(expires_at)}. Wallets warn of requests under an expired registration or refuse them. Renew it with your registrar and add it on the page “Registrations”.`,
    }),
    registration_refused: ({ registration }) => ({
      title: `The registration “${registration}” is not valid any more`,
      body: `The registration “${registration}” was revoked, or it does not belong to the access certificate that signs your requests. Wallets warn of requests under it or refuse them. The page “Registrations” shows what the check found.`,
    }),
    trust_list_stale: ({ url, trusted_until }) => ({
      title: 'A trust list cannot be refreshed',
      body: `The trust list ${url} could not be refreshed.${trusted_until === undefined ? '' : ` Its issuers are trusted until ${day(trusted_until)}.`} After that, credentials of its issuers fail. The operator of this service has to correct it.`,
    }),
    device_revoked_by_reuse: ({ device_name }) => ({
      title: `The device “${device_name}” was revoked`,
      body: `A token of the device “${device_name}” was used twice, so the device was revoked: its tokens may have been copied. Find out how, then pair it again.`,
    }),
    access_changed: ({ action, actor, actor_name, about }, raised_at) => ({
      title: access[action],
      body: `${access[action]}${about === undefined ? '' : ` (${about})`} by ${actor_name ?? (actor === 'operator' ? 'the operator of the service' : actor)} on ${minute(raised_at)}. If nobody in your team meant to do this, undo it, end that member’s sessions and remove passkeys that they do not know. The audit log has the entry.`,
    }),
  },
  environment: { test: 'test environment', live: 'live environment' },
  subject: (title, tenant) => `${title} – ${tenant}`,
  openDashboard: 'Open the dashboard',
  openAudit: 'Open the audit log',
  alertFooter: (tenant) =>
    `You receive this because you are a member of ${tenant}. Choose your alerts on the account page of the dashboard.`,
  linkResults: {
    title: (count) => (count === 1 ? 'Somebody has responded to a link' : `${count} responses to links`),
    body: 'The dashboard shows what was disclosed.',
    result: ({ status, link, code, at }) =>
      `“${link}”: ${status === 'completed' ? `verified, confirmation code ${code}` : 'not verified'}, ${minute(at)}`,
    open: 'Open the link',
  },
  digest: {
    title: (count) => `${count} more alerts`,
    body: (count) =>
      `There were ${count} more alerts within the last hour. They are listed here instead of one mail each.`,
    more: (count) => `and ${count} more`,
  },
}

function named(host: string, description: string | undefined): string {
  return description === undefined ? host : `“${description}” (${host})`
}

function within(days: number): string {
  return days === 1 ? 'within a day' : `within ${days} days`
}
