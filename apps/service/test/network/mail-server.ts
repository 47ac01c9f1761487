import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { decodeMail, type DecodedMail } from './decode-mail.ts'

type ReceivedMail = DecodedMail & { from: string; to: string[]; encrypted: boolean; user?: string }

export type MailServerOptions = {
  tls?: { key: string; cert: string; implicit?: boolean }
  /** The only user and password that are accepted. Nobody has to sign in if absent. */
  user?: { name: string; password: string }
  /** Refuses a recipient with a status, or accepts it. */
  refuse?: (address: string) => number | undefined
  /** Never responds to the content of a mail. */
  hangsAfterContent?: boolean
}

/** A real SMTP server on loopback that keeps what it accepts. */
export async function startMailServer({
  tls,
  user,
  refuse = () => undefined,
  hangsAfterContent = false,
}: MailServerOptions = {}) {
  const received: ReceivedMail[] = []
  const attempts: string[] = []
  const server = new SMTPServer({
    ...(tls !== undefined && { key: tls.key, cert: tls.cert, secure: tls.implicit === true }),
    hideSTARTTLS: tls === undefined,
    disabledCommands: [...(tls === undefined ? ['STARTTLS'] : []), ...(user === undefined ? ['AUTH'] : [])],
    authOptional: user === undefined,
    allowInsecureAuth: true,
    closeTimeout: 100,
    onAuth({ username, password }, _verification, callback) {
      const isKnown = username === user?.name && password === user?.password
      if (isKnown) callback(null, { user: username ?? '' })
      else callback(withStatus(535))
    },
    onRcptTo({ address }, _verification, callback) {
      attempts.push(address)
      const status = refuse(address)
      callback(status === undefined ? null : withStatus(status))
    },
    onData(stream, { envelope, secure, user: name }, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (hangsAfterContent) return
        received.push({
          ...decodeMail(Buffer.concat(chunks).toString()),
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          encrypted: secure,
          ...(name !== undefined && { user: name }),
        })
        callback()
      })
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  // A TCP server has a port.
  const { port } = server.server.address() as AddressInfo
  const credentials = user === undefined ? '' : `${user.name}:${encodeURIComponent(user.password)}@`
  return {
    port,
    url: `${tls?.implicit === true ? 'smtps' : 'smtp'}://${credentials}127.0.0.1:${port}${tls === undefined ? '?tls=off' : ''}`,
    received,
    /** Every recipient that was tried, accepted or not. */
    attempts,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => {
        server.close(resolve)
      })
    },
  }
}

function withStatus(status: number): Error {
  return Object.assign(new Error('refused with a text that names mallory@example.com'), {
    responseCode: status,
  })
}
