import { sign } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { createIssuer, serveStatusList, type Issuer } from '@vidimus/sandbox'
import { makeCertificate, trustCertificate } from '../network/certificate.ts'
import { startReceiver, type ReceiverBehaviour } from '../network/receiver.ts'

/** Responds with these bytes. */
export function replyBytes(body: Uint8Array, headers: Record<string, string> = {}): ReceiverBehaviour {
  const fields = Object.entries({ 'content-length': String(body.length), ...headers })
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n`)
    socket.write(body)
  }
}

const contentTypes = {
  jwt: 'application/statuslist+jwt',
  cwt: 'application/statuslist+cwt',
  crl: 'application/pkix-crl',
}

/** The claims of a status list. Times are in seconds since 1970. */
export type ListClaims = { iat: number; exp?: number; ttl?: number; sub?: string }

/**
 * An issuer other than the sandbox, with its status lists on a real server at `lists.test`. By default the server responds with
 * a list signed at the time of the request; a test can replace its behaviour.
 */
export async function startStatusIssuer({ publishes_crls = false } = {}) {
  const tls = await makeCertificate('lists.test')
  const trusted = trustCertificate(tls.cert)
  let behaviour: ReceiverBehaviour | undefined
  const receiver = await startReceiver((socket, request) => (behaviour ?? honest)(socket, request), { tls })
  const base = `https://lists.test:${receiver.port}`
  const issuer = createIssuer({
    now: new Date(),
    organization: 'Ministry',
    status_uri: `${base}/status`,
    publishes_crls,
  })

  const honest: ReceiverBehaviour = (socket, request) => {
    const path = request.line.split(' ')[1] ?? ''
    const list = serveStatusList(issuer, `${base}${path}`, new Date())
    if (list === undefined) return void socket.write('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n')
    return replyBytes(Buffer.from(list.token), { 'content-type': contentTypes[list.media] })(socket, request)
  }

  return {
    issuer,
    uri: `${base}/status/persons/current.jwt`,
    base,
    receiver,
    /** How often a list was requested. */
    get requestCount() {
      return receiver.received.length
    },
    setBehaviour(next: ReceiverBehaviour | undefined) {
      behaviour = next
    },
    /** Serves a list with these claims at every URL, as the list of that URL. */
    serve(claims: ListClaims) {
      behaviour = (socket, request) => {
        const path = request.line.split(' ')[1] ?? ''
        const token = signList(issuer, { sub: `${base}${path}`, ...claims })
        replyBytes(Buffer.from(token), { 'content-type': 'application/statuslist+jwt' })(socket, request)
      }
    },
    async [Symbol.asyncDispose]() {
      trusted[Symbol.dispose]()
      await receiver[Symbol.asyncDispose]()
    },
  }
}

/** A signed list of 64 valid entries (Token Status List §5.1). */
export function signList({ signers }: Issuer, claims: ListClaims): string {
  const { key, chain } = signers.persons_status
  const x5c = chain.map((certificate) => Buffer.from(certificate).toString('base64'))
  const lst = deflateSync(new Uint8Array(16)).toString('base64url')
  const parts = [
    { alg: 'ES256', typ: 'statuslist+jwt', x5c },
    { ...claims, status_list: { bits: 2, lst } },
  ]
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const signature = sign('sha256', Buffer.from(signed), { key: key.private_key, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}
