export type MailFailure =
  | { outcome: 'refused'; code: string }
  | {
      outcome: 'failed'
      reason: 'connection' | 'tls' | 'sign_in' | 'timeout' | 'deferred' | 'server'
      code: string
    }

/**
 * Decides whether trying again can help. Only codes are kept: the server's text can repeat addresses, and a library's message
 * could repeat credentials.
 */
export function classifyMailError(error: unknown): MailFailure {
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

/** nodemailer replaces OpenSSL's code, so only the message tells that the handshake failed. */
const tlsMessage = /certificate|altnames|\b(?:ssl|tls)\b/i

type MailError = { code: string; command: string; status: string | undefined; message: string }

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
