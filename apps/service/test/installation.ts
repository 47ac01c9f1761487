import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeAccessCertificate } from '../src/trust/identity/make-access-certificate.ts'
import { startNameServer } from './network/name-server.ts'
import { startService, testEnvironment } from './service.ts'

/** A correct installation, with handles to introduce mistakes. */
export async function openInstallation() {
  await using opened = new AsyncDisposableStack()
  const names = opened.use(await startNameServer({ 'example.com': ['93.184.215.14'] }))
  const service = opened.use(await startService())
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-doctor-'))
  opened.defer(() => rmSync(folder, { recursive: true }))
  const files = {
    cert: join(folder, 'cert.pem'),
    key: join(folder, 'key.pem'),
    lists: join(folder, 'lists.json'),
  }
  const { chain, key } = makeAccessCertificate('verifier.example')
  writeFileSync(files.cert, chain)
  writeFileSync(files.key, key)
  const moved = opened.move()
  return {
    service,
    files,
    folder,
    environment: testEnvironment(service.database_url, {
      BASE_URL: service.address,
      RATE_LIMITS: 'key=6000/60,ip=6000/60,session=600/60',
      DNS_SERVERS: names.address,
      SIGNING_CERT_FILE: files.cert,
      SIGNING_KEY_FILE: files.key,
    }),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}
export type Installation = Awaited<ReturnType<typeof openInstallation>>
