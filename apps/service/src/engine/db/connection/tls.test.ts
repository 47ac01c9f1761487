import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, afterAll, expect, test } from 'vitest'
import { makeCertificate } from '../../../../test/network/certificate.ts'
import {
  presentCertificate,
  startPostgresServer,
  type PostgresServer,
} from '../../../../test/processes/postgres-server.ts'
import { explainUnreachable } from '../failures.ts'
import { requireVerification } from './describe-url.ts'
import { openDatabase } from '../open.ts'
import { sql } from '../sql.ts'

let server: PostgresServer
const folder = mkdtempSync(join(tmpdir(), 'vidimus-tls-'))

beforeAll(async () => {
  server = await startPostgresServer()
})
afterAll(() => server[Symbol.asyncDispose]())

type Certificate = Awaited<ReturnType<typeof makeCertificate>>

function authority(name: string, { cert }: Certificate): string {
  const file = join(folder, name)
  writeFileSync(file, cert)
  return file
}

/** How a new connection is encrypted, or why there is none. */
async function connect(parameters: string): Promise<string> {
  const url = requireVerification(`${server.url}?${parameters}`)
  const db = openDatabase({ url, poolSize: 2 })
  try {
    const [row] = await db.query<{ version: string | null }>(
      sql`select version from pg_stat_ssl where pid = pg_backend_pid()`,
    )
    return row?.version ?? 'unencrypted'
  } catch (error) {
    return explainUnreachable(error, url) ?? String(error)
  } finally {
    await db.close()
  }
}

test('[GEN-13] with any sslmode but disable and no-verify, the server must have TLS and a certificate of a trusted authority for its name', async () => {
  expect(await connect('sslmode=disable')).toBe('unencrypted')
  const verifying = ['prefer', 'require', 'verify-ca', 'verify-full'].map((mode) => `sslmode=${mode}`)
  for (const parameters of [...verifying, 'sslmode=no-verify'])
    expect([parameters, await connect(parameters)]).toEqual([
      parameters,
      expect.stringMatching(/does not support TLS. Switch it on there, or set sslmode=disable/),
    ])

  const right = await makeCertificate('127.0.0.1')
  await presentCertificate(server, right)
  const trusted = `sslrootcert=${authority('right.pem', right)}`
  for (const parameters of verifying) {
    expect([parameters, await connect(`${parameters}&${trusted}`)]).toEqual([parameters, 'TLSv1.3'])
    expect([parameters, await connect(parameters)]).toEqual([
      parameters,
      expect.stringContaining('is self-signed or from an unknown authority. Name the authority'),
    ])
  }
  expect(await connect(trusted)).toBe('TLSv1.3')

  const wrong = await makeCertificate('db.example.com')
  await presentCertificate(server, wrong)
  for (const parameters of verifying)
    expect([parameters, await connect(`${parameters}&sslrootcert=${authority('wrong.pem', wrong)}`)]).toEqual(
      [parameters, expect.stringContaining('is for another host name')],
    )
  // The certificate of before, which is not presented any more.
  expect(await connect(`sslmode=verify-full&${trusted}`)).toContain('unknown authority')
  expect(await connect('sslmode=no-verify')).toBe('TLSv1.3')
  expect(await connect('sslmode=disable')).toBe('unencrypted')
})
