import type { Config, Secrets } from '../../../engine/config/index.ts'
import { type MailFailure, openMailer } from '../../../engine/mail/index.ts'
import { ok, wrong, type DoctorFinding } from './finding.ts'

const timeout_ms = 10_000

/** Connects to the mail server and signs in. Sends nothing. */
export async function checkMail(
  { MAIL_FROM: from, BASE_URL }: Config,
  { SMTP_URL: server }: Secrets,
): Promise<DoctorFinding[]> {
  if (server === undefined || from === undefined)
    return [ok('mail', 'is not used: alerts and invitations are not sent by e-mail')]
  const mailer = openMailer({ server, from, client_name: new URL(BASE_URL).hostname, timeout_ms })
  const checked = await mailer.check()
  if (checked.outcome === 'sent') return [ok('mail', `${server.host}:${server.port} accepts connections`)]
  const reason = checked.outcome === 'refused' ? 'server' : checked.reason
  return [
    wrong(
      'mail',
      `The mail server ${server.host}:${server.port} of SMTP_URL ${problems[reason]} (${checked.code}).`,
      cures[reason],
    ),
  ]
}

type Reason = Extract<MailFailure, { outcome: 'failed' }>['reason']

const problems: Record<Reason, string> = {
  connection: 'cannot be reached',
  tls: 'offers no TLS, or its certificate is not valid',
  sign_in: 'refuses the user or the password',
  timeout: 'did not respond within ten seconds',
  deferred: 'refuses connections for now',
  server: 'refuses connections',
}

const cures: Record<Reason, string> = {
  connection: 'Start it, or correct host and port in SMTP_URL.',
  tls: 'Use the name that its certificate is for. NODE_EXTRA_CA_CERTS adds your own authority. smtps:// is for port 465, smtp:// for STARTTLS.',
  sign_in: 'Correct user and password in SMTP_URL; characters such as @ and / are percent-encoded.',
  timeout: 'Check that a firewall allows the connection: 587 for smtp://, 465 for smtps://.',
  deferred: 'Try again later, or ask the operator of the mail server.',
  server: 'Ask the operator of the mail server whether this host may send mail.',
}
