import type { Transport } from 'nodemailer'
import type { MailAddress, MailServer } from './address.ts'

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

export type MailFailure =
  | { outcome: 'refused'; code: string }
  | {
      outcome: 'failed'
      reason: 'connection' | 'tls' | 'sign_in' | 'timeout' | 'deferred' | 'server'
      code: string
    }

type MailError = { code: string; command: string; status: string | undefined; message: string }

/** nodemailer replaces OpenSSL's code, so only the message tells that the handshake failed. */
const tlsMessage = /certificate|altnames|\b(?:ssl|tls)\b/i

/**
 * Decides whether trying again can help. Only codes are kept: the server's text can repeat addresses, and a library's message
 * could repeat credentials.
 */
function classifyMailError(error: unknown): MailFailure {
  const { code, command, status, message } = readError(error)
  if (code === 'EAUTH') return { outcome: 'failed', reason: 'sign_in', code: status ?? code }
  if (code === 'ETIMEDOUT') return { outcome: 'failed', reason: 'timeout', code }
  if (code === 'ETLS' || (code === 'ESOCKET' && tlsMessage.test(message)))
    return { outcome: 'failed', reason: 'tls', code }
  if (status?.startsWith('4') === true) return { outcome: 'failed', reason: 'deferred', code: status }
  // A permanent refusal of this recipient or message. Before that, the server refuses us and not the mail.
  if (status?.startsWith('5') === true)
    return /^(?:RCPT TO|DATA)/.test(command)
      ? { outcome: 'refused', code: status }
      : { outcome: 'failed', reason: 'server', code: status }
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return { outcome: 'refused', code }
  return { outcome: 'failed', reason: 'connection', code }
}

function readError(error: unknown): MailError {
  const fields = new Map<string, unknown>(error instanceof Error ? Object.entries(error) : [])
  const [code, command, status] = ['code', 'command', 'responseCode'].map((name) => fields.get(name))
  return {
    code: typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : 'UNKNOWN',
    command: typeof command === 'string' ? command : '',
    status: typeof status === 'number' ? String(status) : undefined,
    message: error instanceof Error ? error.message : '',
  }
}
