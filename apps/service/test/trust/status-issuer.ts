import { sign, X509Certificate } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { createIssuer, serveStatusList, type Issuer } from '@vidimus/sandbox'
import { signCrl } from '../../../../packages/sandbox/src/certificates/sign-crl.ts'
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
  ocsp: 'application/ocsp-response',
}

/** The claims of a status list. Times are in seconds since 1970. */
export type ListClaims = { iat: number; exp?: number; ttl?: number; sub?: string }

/**
 * An issuer other than the sandbox, with its lists on a real server, at `lists.test` or at an address of this machine. By default the server responds with
 * a list signed at the time of the request; a test can replace its behaviour.
 */
export async function startStatusIssuer({ publishes_crls = false, host = 'lists.test' } = {}) {
  const tls = await makeCertificate(host)
  const trusted = trustCertificate(tls.cert)
  let behaviour: ReceiverBehaviour | undefined
  const receiver = await startReceiver((socket, request) => (behaviour ?? honest)(socket, request), { tls })
  const base = `https://${host}:${receiver.port}`
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
    /** Serves this instead of the revocation lists for its signers, and everything else as usual. */
    serveCrl(behave: ReceiverBehaviour) {
      behaviour = (socket, request) => (request.line.includes('_issuing/') ? behave : honest)(socket, request)
    },
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

export type CrlContent = {
  issuer: Issuer
  /** Seconds since 1970. */
  issued_at: number
  next_update: number
  /** Certificates in DER. */
  revoked?: Uint8Array[]
}

/** A certificate revocation list of the authority that certifies the signers of one root. */
export function writeCrl(root: 'persons' | 'mobile', content: CrlContent): Uint8Array {
  const { issuing } = content.issuer.hierarchies[root]
  return signCrl(
    {
      issuer: issuing.name,
      issued_at: new Date(content.issued_at * 1000),
      next_update: new Date(content.next_update * 1000),
      revoked: (content.revoked ?? []).map((certificate) => ({
        serial: Buffer.from(new X509Certificate(certificate).serialNumber, 'hex'),
      })),
      extensions: [],
    },
    issuing.key,
  )
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
