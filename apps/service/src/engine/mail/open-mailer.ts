import type { Transport } from 'nodemailer'
import { classifyMailError, type MailFailure } from './classify-mail-error.ts'
import type { MailAddress } from './address.ts'
import type { MailServer } from './read-smtp-url.ts'

export type OutgoingMail = {
  to: string
  subject: string
  text: string
  html: string
  /** Stays the same if the mail is sent again, so that a receiver can recognise the copy. */
  message_id: string
}

/** Everything a mail server can do is a value. `refused` is final for this mail; `failed` may work later. */
type MailOutcome = { outcome: 'sent' } | MailFailure

/** Sends mail through the operator's server, over a new connection for each. */
export type Mailer = {
  /** The domain of the sender, for Message-IDs. */
  domain: string
  send(mail: OutgoingMail): Promise<MailOutcome>
  /** Connects and signs in, and sends nothing. */
  check(): Promise<MailOutcome>
}

/** Each wait for the server, and the whole mail: a server that responds slowly enough outlasts every single wait. */
const timeouts = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
  dnsTimeout: 5000,
}
export const mailTimeout_ms = 45_000

export type OpenMailer = {
  server: MailServer
  from: MailAddress
  /** The name that this host introduces itself with. */
  client_name: string
  timeout_ms?: number
}

/** Nothing is connected until a mail is sent. */
export function openMailer({ server, from, client_name, timeout_ms = mailTimeout_ms }: OpenMailer): Mailer {
  const options = {
    host: server.host,
    port: server.port,
    secure: server.tls === 'implicit',
    requireTLS: server.tls === 'required',
    ignoreTLS: server.tls === 'off',
    tls: { minVersion: 'TLSv1.2' },
    name: client_name,
    ...(server.user !== undefined && { auth: { user: server.user, pass: server.password ?? '' } }),
    ...limitTimeouts(timeout_ms),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  // Loaded with the first mail: most processes never send one.
  const openTransport = async () => (await import('nodemailer')).createTransport(options)
  const attempt = (use: (transport: Transport) => Promise<unknown>) =>
    outcomeOf(openTransport().then(use), timeout_ms)
  return {
    domain: from.address.slice(from.address.indexOf('@') + 1),
    send: ({ to, subject, text, html, message_id }) =>
      attempt((transport) =>
        transport.sendMail({
          from,
          // Addresses as objects are not parsed: nothing in them can name a second recipient.
          to: { name: '', address: to },
          envelope: { from: from.address, to: [to] },
          subject: toSingleLine(subject),
          text,
          html,
          messageId: message_id,
          headers: { 'Auto-Submitted': 'auto-generated' },
        }),
      ),
    check: () => attempt((transport) => transport.verify()),
  }
}

async function outcomeOf(work: Promise<unknown>, timeout_ms: number): Promise<MailOutcome> {
  const timeout = Promise.withResolvers<MailOutcome>()
  const timer = setTimeout(
    () => timeout.resolve({ outcome: 'failed', reason: 'timeout', code: 'ETIMEDOUT' }),
    timeout_ms,
  )
  try {
    const finished = work.then((): MailOutcome => ({ outcome: 'sent' }), classifyMailError)
    return await Promise.race([finished, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

function limitTimeouts(timeout_ms: number): typeof timeouts {
  const limited = Object.entries(timeouts).map(([name, value]) => [name, Math.min(value, timeout_ms)])
  return Object.fromEntries(limited) as typeof timeouts // the same names
}

/** The library folds or encodes what a header cannot contain; a line break never reaches it. */
function toSingleLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, 200)
}
