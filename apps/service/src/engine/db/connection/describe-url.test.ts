import { writeFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { describeUrl, requireVerification } from './describe-url.ts'

afterEach(() => void vi.unstubAllEnvs())

const file = join(mkdtempSync(join(tmpdir(), 'vidimus-url-')), 'certificate.pem')
writeFileSync(file, '')

test('[GEN-13] host and TLS are read from a database URL as the driver reads them', () => {
  const hosts = ['db.example.com', '[2001:db8::1]', '%2Frun%2Fpostgresql', '']
  const sslmodes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify', '']
  const parameters = [
    ...sslmodes.map((mode) => `sslmode=${mode}`),
    ...['sslcert', 'sslkey', 'sslrootcert'].map((name) => `${name}=${file}`),
    '',
    'ssl=true',
    'ssl=1',
    'ssl=0',
    'ssl=false',
    'ssl=no-verify',
    'sslnegotiation=direct',
    'sslmode=require&sslmode=disable',
    'sslmode=disable&sslmode=require',
    'ssl=true&sslmode=disable',
    'ssl=0&sslmode=require',
    `sslrootcert=${file}&sslmode=disable`,
    'uselibpqcompat=true&sslmode=require',
    'host=other.example.com',
    'host=%2Frun%2Fpostgresql',
    'host=',
  ]
  const modes = ['', 'disable', 'prefer', 'require', 'verify-full', 'no-verify', 'allow']
  let compared = 0
  for (const PGHOST of ['', 'third.example.com'])
    for (const PGSSLMODE of modes) {
      vi.stubEnv('PGSSLMODE', PGSSLMODE)
      vi.stubEnv('PGHOST', PGHOST)
      for (const host of hosts)
        for (const parameter of parameters) {
          const url = `postgres://${host === '' ? '' : 'ann:secret@'}${host}/vidimus?${parameter}`
          const client = new Client({ connectionString: url })
          const described = describeUrl(url, { PGHOST, PGSSLMODE })
          compared += 1
          expect([url, PGSSLMODE, described.host || 'localhost', described.tls === 'on']).toEqual([
            url,
            PGSSLMODE,
            client.host,
            // The driver's types say boolean, but it may be an object or a text.
            Boolean(client.ssl as unknown),
          ])
        }
    }
  expect(compared).toBe(2 * modes.length * hosts.length * parameters.length)
})

test('[GEN-13] TLS that was ruled out differs from TLS that nobody mentioned', () => {
  const tls = (parameter: string, PGSSLMODE?: string) =>
    describeUrl(`postgres://db.example.com/vidimus?${parameter}`, {
      ...(PGSSLMODE !== undefined && { PGSSLMODE }),
    }).tls
  expect([tls(''), tls('', 'allow'), tls('sslmode='), tls('application_name=a')]).toEqual(
    Array(4).fill('not_set'),
  )
  expect([tls('sslmode=disable'), tls('ssl=0'), tls('', 'disable')]).toEqual(Array(3).fill('off'))
})

test('[GEN-13] modes that libpq takes more lightly are written as verify-full, and others stay as they are', () => {
  const url = (parameters: string) => `postgres://ann:sslmode=require@db.example.com/vidimus?${parameters}`
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full'])
    expect(requireVerification(url(`a=b&sslmode=${mode}&c=d`))).toBe(url('a=b&sslmode=verify-full&c=d'))
  for (const parameters of [
    '',
    'sslmode=disable',
    'sslmode=no-verify',
    'uselibpqcompat=true&sslmode=require',
  ])
    expect(requireVerification(url(parameters))).toBe(url(parameters))
})
