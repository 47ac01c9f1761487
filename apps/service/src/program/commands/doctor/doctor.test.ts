import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { otherServer, selfSignedTls } from '../../../../test/network/other-server.ts'
import { runSqlText, setClockOffset } from '../../../../test/database/clock.ts'
import { runProgram } from '../../../../test/processes/run-program.ts'
import type { Service } from '../../../../test/service.ts'
import { newRegistration } from '../../../../test/trust/registrations.ts'
import { sql } from '../../../engine/db/sql.ts'
import { addRegistration } from '../../../trust/registrations/add-registration.ts'
import { makeAccessCertificate } from '../../../trust/identity/make-access-certificate.ts'
import { openInstallation, type Installation } from '../../../../test/installation.ts'
import { runWorker } from '../../worker.ts'
import { runChecks } from './run-checks.ts'

type Mistake = {
  name: string
  /** It changes the installation itself and so needs its own. */
  isolated?: true
  /** Changes the environment variables, or the installation itself. */
  introduce: (
    installation: Installation,
  ) => Promise<Record<string, string | undefined>> | Record<string, string | undefined>
  check: string
  cure: RegExp
}

async function addRegistrationEnding(service: Service, interval: string): Promise<Record<string, string>> {
  const by = { kind: 'operator', tenant_id: (await service.tenant()).tenant_id } as const
  await addRegistration(service.ctx, { by, certificate: newRegistration() })
  await service.ctx.db.execute(
    sql`update registrations set expires_at = service_now() + ${interval}::interval`,
  )
  return {}
}

const https = { BASE_URL: 'https://verify.example.com', TRUSTED_PROXIES: '10.0.0.0/8' }

/** Common mistakes of operators, with the check that must find each and the cure that it must name. */
const mistakes: Mistake[] = [
  { name: 'no master key', introduce: () => ({ MASTER_KEY: '' }), check: 'settings', cure: /\.env\.example/ },
  {
    name: 'an invalid setting',
    introduce: () => ({ RATE_LIMITS: 'many' }),
    check: 'settings',
    cure: /Correct this variable/,
  },
  {
    name: 'a folder of the erasure ledger that does not exist',
    introduce: () => ({ ERASURE_LEDGER: '/nonexistent/ledger' }),
    check: 'erasure ledger',
    cure: /mount the folder/,
  },
  {
    name: 'a database that is down',
    introduce: () => ({ DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none' }),
    check: 'database',
    cure: /Correct DATABASE_URL/,
  },
  {
    name: 'a database that does not exist',
    introduce: ({ environment }) => ({ DATABASE_URL: `${environment['DATABASE_URL']}_none` }),
    check: 'database',
    cure: /Correct DATABASE_URL/,
  },
  {
    name: 'a missing migration',
    isolated: true,
    introduce: async ({ service }) => {
      await service.ctx.db.execute(sql`delete from schema_migrations where name like '0001%'`)
      return {}
    },
    check: 'schema',
    cure: /vidimus migrate/,
  },
  {
    name: 'a program older than its database',
    isolated: true,
    introduce: async ({ service }) => {
      await service.ctx.db.execute(sql`insert into schema_migrations (name) values ('9999_later.sql')`)
      return {}
    },
    check: 'schema',
    cure: /a later one/,
  },
  {
    name: 'a role without privileges',
    introduce: withoutRights,
    check: 'database rights',
    cure: /owns the database/,
  },
  {
    name: 'the master key of another database',
    introduce: () => ({ MASTER_KEY: Buffer.alloc(32, 9).toString('base64') }),
    check: 'master key',
    cure: /set up with/,
  },
  {
    name: 'a shifted clock',
    isolated: true,
    introduce: async ({ service }) => {
      await setClockOffset(service.ctx.db, '1 hour')
      return {}
    },
    check: 'clock',
    cure: /create or replace function service_now/,
  },
  {
    name: 'a base URL that refuses connections',
    introduce: () => ({ BASE_URL: 'http://127.0.0.1:2' }),
    check: 'base address',
    cure: /vidimus serve/,
  },
  {
    name: 'a base URL of another server',
    introduce: (installation) => otherServer(installation, 404),
    check: 'base address',
    cure: /Correct BASE_URL/,
  },
  {
    name: 'a base URL that redirects',
    introduce: (installation) => otherServer(installation, 301),
    check: 'base address',
    cure: /to the target/,
  },
  {
    name: 'a self-signed TLS certificate',
    introduce: selfSignedTls,
    check: 'TLS',
    cure: /public authority/,
  },
  {
    name: 'http in production',
    introduce: () => ({ NODE_ENV: 'production' }),
    check: 'base address',
    cure: /public https URL/,
  },
  {
    name: 'a Redis on another machine without TLS in production',
    introduce: () => ({ ...https, NODE_ENV: 'production', REDIS_URL: 'redis://redis.invalid:6379' }),
    check: 'connections',
    cure: /TLS to other machines/,
  },
  {
    name: 'an unknown proxy',
    introduce: () => ({ ...https, TRUSTED_PROXIES: '' }),
    check: 'proxy headers',
    cure: /TRUSTED_PROXIES/,
  },
  {
    name: 'every proxy trusted',
    introduce: () => ({ TRUSTED_PROXIES: '0.0.0.0/0' }),
    check: 'proxy headers',
    cure: /your own proxies/,
  },
  {
    name: 'no access certificate in production',
    introduce: () => ({ ...https, NODE_ENV: 'production', SIGNING_CERT_FILE: '', SIGNING_KEY_FILE: '' }),
    check: 'access certificate',
    cure: /SIGNING_KEY_FILE/,
  },
  {
    name: 'the key of another certificate',
    isolated: true,
    introduce: ({ files }) => {
      writeFileSync(files.key, makeAccessCertificate('other.example').key)
      return {}
    },
    check: 'access certificate',
    cure: /key of that leaf/,
  },
  {
    name: 'a missing certificate file',
    introduce: ({ folder }) => ({ SIGNING_CERT_FILE: join(folder, 'none.pem') }),
    check: 'access certificate',
    cure: /file is there/,
  },
  {
    name: 'an invalid TRUST_LISTS_FILE',
    introduce: ({ files }) => {
      writeFileSync(files.lists, '[{"url":"http://lists.example/a.jwt"}]')
      return { TRUST_LISTS_FILE: files.lists }
    },
    check: 'trust lists',
    cure: /TRUST_LISTS_FILE/,
  },
  {
    name: 'an invalid WALLETS_FILE',
    introduce: ({ files }) => {
      writeFileSync(files.lists, '[{"name":"A wallet"}]')
      return { WALLETS_FILE: files.lists }
    },
    check: 'settings',
    cure: /\.env\.example/,
  },
  {
    name: 'a registration that has expired',
    isolated: true,
    introduce: ({ service }) => addRegistrationEnding(service, '-1 days'),
    check: 'registrations',
    cure: /dashboard shows/,
  },
  {
    name: 'name servers that do not respond',
    introduce: () => ({ DNS_SERVERS: '127.0.0.1:1' }),
    check: 'egress',
    cure: /DNS_SERVERS/,
  },
  {
    name: 'webhooks allowed to every address',
    introduce: () => ({ WEBHOOK_EGRESS_ALLOW: '0.0.0.0/0' }),
    check: 'egress',
    cure: /only the ranges/,
  },
  {
    name: 'a Redis that is down',
    introduce: () => ({ REDIS_URL: 'redis://127.0.0.1:1' }),
    check: 'Redis',
    cure: /Start Redis/,
  },
  {
    name: 'a mail server that is down',
    introduce: () => ({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'vidimus@vidimus.example' }),
    check: 'mail',
    cure: /Start it, or correct host and port/,
  },
  {
    name: 'no worker',
    isolated: true,
    introduce: async ({ service }) => {
      await service.tenant()
      await service.ctx.db.execute(sql`update audit_inbox set at = at - interval '1 hour'`)
      return {}
    },
    check: 'worker',
    cure: /vidimus work/,
  },
  {
    name: 'a checkpoint folder that is not writable',
    introduce: ({ files }) => ({ AUDIT_CHECKPOINT_DIR: join(files.cert, 'below-a-file') }),
    check: 'audit checkpoints',
    cure: /Create the folder/,
  },
]

/** Roles belong to the whole server, so this one has a unique name and is dropped after the last test. */
const reader = `vidimus_test_reader_${randomBytes(6).toString('hex')}`

let shared: Installation
beforeAll(async () => {
  shared = await openInstallation()
  await runSqlText(shared.service.ctx.db, `create role ${reader} login`)
})
afterAll(async () => {
  await runSqlText(shared.service.ctx.db, `drop owned by ${reader}; drop role ${reader}`)
  await shared[Symbol.asyncDispose]()
})

test('finds no problem in a correct installation', async () => {
  const findings = await runChecks(shared.environment)

  expect(findings.filter(({ status }) => status === 'wrong')).toEqual([])
  expect(findings.length).toBeGreaterThan(8)
})

test.each(mistakes)('finds $name and names the cure', async ({ isolated, introduce, check, cure }) => {
  await using own = isolated === true ? await openInstallation() : undefined
  const installation = own ?? shared
  const environment = { ...installation.environment, ...(await introduce(installation)) }
  const found = (await runChecks(environment)).filter(({ status }) => status === 'wrong')

  expect(found.map((finding) => finding.check)).toContain(check)
  expect(found.find((finding) => finding.check === check && cure.test(finding.cure ?? ''))).toBeDefined()
})

test('warns if no worker runs, although nothing waits for one', async () => {
  await using installation = await openInstallation()
  const { ctx } = installation.service
  const check = async () =>
    (await runChecks(installation.environment)).filter((found) => found.check === 'worker')

  expect(await check()).toMatchObject([
    {
      status: 'warning',
      says: expect.stringContaining('ever run'),
      cure: expect.stringContaining('vidimus work'),
    },
  ])
  const stop = new AbortController()
  const worker = runWorker(ctx, stop.signal)
  await expect.poll(check, { timeout: 10_000 }).toMatchObject([{ status: 'ok' }])
  stop.abort()
  await worker
  await ctx.db.execute(sql`update worker_heartbeat set at = at - interval '61 seconds'`)
  expect(await check()).toMatchObject([{ status: 'warning', says: expect.stringMatching(/for 6\d s/) }])
})

test('warns in production if there is no Redis, because several processes would each count rate limits', async () => {
  const found = await runChecks({ ...shared.environment, ...https, NODE_ENV: 'production', REDIS_URL: '' })
  expect(found.filter(({ check }) => check === 'Redis')).toMatchObject([
    { status: 'warning', cure: expect.stringContaining('Set REDIS_URL') },
  ])
})

test('warns of registrations that end within 30 days', async () => {
  await using installation = await openInstallation()
  const { service, environment } = installation
  const check = async () => (await runChecks(environment)).filter((found) => found.check === 'registrations')
  expect(await check()).toMatchObject([{ status: 'ok' }])
  await addRegistrationEnding(service, '20 days')
  expect(await check()).toMatchObject([{ status: 'warning', says: '1 expire within 30 days.' }])
})

test('the command prints its findings, as one JSON object with --json, and exits with 1 if there is a problem', async () => {
  const healthy = await runProgram(['doctor'], shared.environment)
  const broken = await runProgram(['doctor', '--json'], { ...shared.environment, DNS_SERVERS: '127.0.0.1:1' })

  expect(healthy).toMatchObject({ status: 0, stdout: expect.stringMatching(/No problems found/) })
  expect(broken.status).toBe(1)
  expect(JSON.parse(broken.stdout)).toMatchObject({ wrong: 1, findings: expect.any(Array) })
})

async function withoutRights({ service }: Installation): Promise<Record<string, string>> {
  await runSqlText(service.ctx.db, `grant select on all tables in schema public to ${reader}`)
  const url = new URL(service.database_url)
  url.username = reader
  return { DATABASE_URL: url.href }
}
