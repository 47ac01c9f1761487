import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pem, type IssuedCertificate } from './certificates.ts'

const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' })

export type OpensslResponder = Disposable & {
  /** The DER of OpenSSL's response to the DER of a request. */
  respond: (request: Uint8Array, options?: { by?: IssuedCertificate; arguments?: string[] }) => Buffer
}

/** The responder of OpenSSL for an authority that has issued some certificates and revoked others, by serial number. */
export function openOpensslResponder(
  authority: IssuedCertificate,
  issued: { good: string[]; revoked: string[] },
): OpensslResponder {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-ocsp-'))
  const write = (name: string, content: string | Uint8Array) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }
  const line = (serial: string, state: string, revoked_at: string) =>
    `${[state, '491231235959Z', revoked_at, serial.toUpperCase(), 'unknown', '/CN=x'].join('\t')}\n`
  const index = write(
    'index.txt',
    [
      ...issued.good.map((serial) => line(serial, 'V', '')),
      ...issued.revoked.map((serial) => line(serial, 'R', '260101000000Z')),
    ].join(''),
  )
  const ca = write('ca.pem', pem(authority))
  return {
    respond(request, { by = authority, arguments: more = ['-ndays', '1'] } = {}) {
      const response = join(folder, 'response.der')
      const key = by.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
      const signer = ['-rsigner', write('signer.pem', pem(by)), '-rkey', write('signer.key', key)]
      const files = ['-reqin', write('request.der', request), '-respout', response]
      openssl('ocsp', '-index', index, '-CA', ca, ...signer, ...files, ...more)
      return readFileSync(response)
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}
