import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { runSqlText } from '../../../../test/database/clock.ts'
import { createTestDatabase } from '../../../../test/database/test-database.ts'
import { testEnvironment } from '../../../../test/service.ts'
import { keyAuthenticator } from '../../../accounts/api-keys/authenticate-key.ts'
import { createKey } from '../../../accounts/api-keys/create-key.ts'
import { readConfig } from '../../config/config.ts'
import { openContext, type ServiceContext } from '../../../program/context.ts'
import { authenticateDevice } from '../../../devices/tokens/authenticate.ts'
import { writeAccessToken } from '../../../devices/tokens/format.ts'
import { selectRegistration } from '../../../trust/registrations/select/select.ts'
import { putAssignment } from '../../../trust/registrations/store.ts'
import { insertVersions, putTemplate } from '../../../templates/store.ts'
import { resolveTemplate } from '../../../templates/resolve-template.ts'
import { createTenant } from '../../../accounts/tenants/create.ts'
import { getPolicies } from '../../../accounts/tenants/tenant-settings.ts'
import { getIdentityHash } from '../../../trust/identity/get-identity.ts'
import { readStoredIdentities } from '../../../trust/identity/ecosystem-identities.ts'
import {
  insertCertificate,
  insertVerifierInfo,
  putEcosystemIdentity,
  setTenantIdentity,
} from '../../../trust/identity/store.ts'
import { bumpTenantTrustVersion } from '../../../trust/tenant/store.ts'
import type { Db } from '../open.ts'
import { openLog } from '../../observability/log.ts'
import type { KeyPrincipal } from '../../basics/principal.ts'
import { sql } from '../sql.ts'

const changesPerTable = 12
const readersPerProcess = 3
const device_id = '00000000-0000-4000-8000-000000000001'
const default_id = '00000000-0000-4000-8000-000000000002'
const named_id = '00000000-0000-4000-8000-000000000003'
const sha256 = (text: string) => createHash('sha256').update(text).digest()

type Reading = { ctx: ServiceContext; principal: KeyPrincipal; device_token: string }

/** Something that requests read from copies. It is changed to 1, 2, 3 and so on; reading it returns the number. */
type Fact = {
  change: (tx: Db, tenant_id: string, number: number) => Promise<unknown>
  read: (reading: Reading) => Promise<number>
}

/** By the table that holds it. */
const facts: Record<string, Fact> = {
  api_keys: {
    change: (tx, tenant_id, number) =>
      tx.execute(sql`
      update api_keys set scopes = array_fill('verifications:read'::text, array[${number + 1}::integer])
      where tenant_id = ${tenant_id}`),
    read: async ({ principal }) => principal.scopes.length - 1,
  },
  tenants: {
    change: (tx, tenant_id, number) =>
      tx.execute(sql`update tenants set retention_days = ${30 + number} where id = ${tenant_id}`),
    read: async ({ ctx, principal }) =>
      (await getPolicies(ctx, principal.tenant_id, principal.change_version)).retention_days - 30,
  },
  templates: {
    async change(tx, tenant_id, number) {
      const version = sha256(`template ${number}`)
      await insertVersions(tx, [{ hash: version, body: '{}' }])
      await putTemplate(tx, { tenant_id, key: 'a', version })
    },
    async read({ ctx, principal: { tenant_id, change_version } }) {
      const current = await resolveTemplate(ctx, { tenant_id, key: 'a' }, change_version)
      return current === undefined ? 0 : numberOf(current.version, 'template')
    },
  },
  tenant_identities: {
    async change(tx, tenant_id, number) {
      const hash = sha256(`identity ${number}`)
      const certificate = {
        hash,
        chain: '',
        sealed_key: Buffer.of(0),
        key_uri: null,
        tenant_id: null,
        self_made: false,
      }
      await insertCertificate(tx, certificate)
      await setTenantIdentity(tx, { tenant_id, certificate: hash, created_by: null })
    },
    async read({ ctx, principal: { tenant_id, change_version } }) {
      const hash = await getIdentityHash(ctx, tenant_id, change_version)
      return hash.equals((await ctx.identity()).hash) ? 0 : numberOf(hash, 'identity')
    },
  },
  ecosystem_identities: {
    async change(tx, tenant_id, number) {
      const hash = sha256(`identity ${number}`)
      const row = {
        hash,
        chain: '',
        sealed_key: Buffer.of(0),
        key_uri: null,
        tenant_id: null,
        self_made: false,
      }
      await insertCertificate(tx, row)
      await putEcosystemIdentity(tx, {
        tenant_id,
        ecosystem: 'google',
        environment: 'test',
        certificate: hash,
        rp_metadata: Buffer.of(number),
        created_by: null,
      })
    },
    async read({ ctx, principal: { tenant_id, change_version } }) {
      const [stored] = await readStoredIdentities(ctx, tenant_id, change_version)
      return stored?.rp_metadata?.[0] ?? 0
    },
  },
  registrations: {
    async change(tx, tenant_id, number) {
      await putRegistration(tx, { tenant_id, id: default_id, info: `registration ${number}` })
    },
    async read({ ctx, principal: { tenant_id, change_version } }) {
      const selected = await selectRegistration(ctx, { tenant_id, template: undefined }, change_version)
      return selected === undefined ? 0 : numberOf(selected.info, 'registration')
    },
  },
  template_registrations: {
    async change(tx, tenant_id, number) {
      await putRegistration(tx, { tenant_id, id: named_id, info: 'a registration that a template names' })
      await putAssignment(tx, { tenant_id, id: named_id, template: `t${number}` })
    },
    async read({ ctx, principal: { tenant_id, change_version } }) {
      let number = 0
      const selectNext = () =>
        selectRegistration(ctx, { tenant_id, template: `t${number + 1}` }, change_version)
      while ((await selectNext())?.id === named_id) number += 1
      return number
    },
  },
  tenant_trust: {
    change: (tx, tenant_id) => bumpTenantTrustVersion(tx, { tenant_id, policy: 'own' }),
    async read({ ctx, principal }) {
      const { version } = await ctx.trust.scopes.forVerification({ ...principal, environment: 'live' })
      return Number(version.split(' ')[1] ?? 0)
    },
  },
  devices: {
    change: (tx, _, number) =>
      tx.execute(
        sql`update devices set allowed_templates = array[${String(number)}] where id = ${device_id}`,
      ),
    read: async ({ ctx, device_token }) =>
      Number((await authenticateDevice(ctx, device_token)).allowed_templates[0]),
  },
}

async function putRegistration(tx: Db, row: { tenant_id: string; id: string; info: string }) {
  const hash = sha256(row.info)
  await insertVerifierInfo(tx, { hash, body: '[]' })
  await tx.execute(sql`
    insert into registrations
      (tenant_id, id, name, is_default, token, fingerprint, contents, info_base64url, info_jwt)
    values (${row.tenant_id}, ${row.id}, 'One', ${row.id === default_id}, '', ${sha256(row.id)}, '{}', ${hash}, ${hash})
    on conflict (tenant_id, id) do update set info_base64url = excluded.info_base64url`)
}

function numberOf(hash: Buffer, what: string): number {
  const numbers = Array.from({ length: changesPerTable + 1 }, (_, number) => number)
  return numbers.find((number) => sha256(`${what} ${number}`).equals(hash)) ?? Number.NaN
}

/** Two processes on one database, each with its own copies, and a tenant with a key and a device. */
async function openTwoProcesses() {
  const database = await createTestDatabase()
  const config = readConfig(testEnvironment(database.url))
  const open = () => openContext({ ...config, log: openLog({ LOG_LEVEL: 'silent' }) })
  const contexts = await Promise.all([open(), open()])
  const [ctx] = contexts
  const { tenant_id } = await createTenant(ctx, { name: 'A merchant', daily_quota: undefined })
  const { key } = await createKey(ctx, {
    by: { kind: 'operator', tenant_id },
    environment: 'test',
    scopes: ['verifications:read'],
  })
  await ctx.db.execute(sql`
    insert into devices
      (tenant_id, id, environment, name, status, allowed_templates, pairing_hash, created_at, pairing_expires_at)
    values (${tenant_id}, ${device_id}, 'test', 'till', 'active', '{0}', ${sha256('')}, service_now(), service_now())`)
  const device_token = writeAccessToken(ctx.keyring, '0', { device_id, expires_at: 4_000_000_000 })
  return {
    ctx,
    contexts,
    tenant_id,
    key,
    device_token,
    async [Symbol.asyncDispose]() {
      for (const each of contexts) await each[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

type Processes = Awaited<ReturnType<typeof openTwoProcesses>>

/** Changes these facts on both processes while both read them. Returns each read that missed an acknowledged change. */
async function findStaleReads(processes: Processes, tables: readonly string[]) {
  const { contexts, tenant_id, key, device_token } = processes
  const acknowledged = new Map<string, number>(tables.map((table) => [table, 0]))
  const stale: string[] = []
  let reads = 0
  let changing = true

  const readAll = async (ctx: ServiceContext, authenticate: ReturnType<typeof keyAuthenticator>) => {
    const expected = new Map(acknowledged)
    const principal = await authenticate(key)
    for (const table of tables) {
      const number = await facts[table]?.read({ ctx, principal, device_token })
      reads += 1
      if (!(Number(number) >= (expected.get(table) ?? 0)))
        stale.push(`${table}: ${number} after ${expected.get(table)}`)
    }
  }
  const authenticators = contexts.map((ctx) => keyAuthenticator(ctx))
  const readEverywhere = () =>
    Promise.all(contexts.map((ctx, index) => readAll(ctx, authenticators[index] ?? keyAuthenticator(ctx))))

  const readers = contexts.flatMap((ctx) =>
    Array.from({ length: readersPerProcess }, async () => {
      const authenticate = keyAuthenticator(ctx)
      while (changing) await readAll(ctx, authenticate)
    }),
  )
  const changeAll = async () => {
    await readEverywhere()
    await Promise.all(
      tables.map(async (table, offset) => {
        for (let number = 1; number <= changesPerTable; number += 1) {
          const { db } = contexts[(number + offset) % contexts.length] ?? processes.ctx
          await db.transaction(async (tx) => facts[table]?.change(tx, tenant_id, number))
          acknowledged.set(table, number)
          if (Math.random() < 0.5) await readEverywhere()
        }
      }),
    )
    await readEverywhere()
  }
  await Promise.all([changeAll().finally(() => (changing = false)), ...readers])
  return { stale, reads }
}

test('[GEN-14] [AUTH-12] no request on any process misses an acknowledged change, however changes and reads interleave', async () => {
  await using processes = await openTwoProcesses()

  const { stale, reads } = await findStaleReads(processes, Object.keys(facts))

  expect(stale).toEqual([])
  expect(reads).toBeGreaterThan(changesPerTable * Object.keys(facts).length)
})

test.each(Object.keys(facts))(
  '[GEN-14] the same check notices if a change of %s does not replace the version',
  async (table) => {
    await using processes = await openTwoProcesses()
    await runSqlText(processes.ctx.db, `alter table ${table} disable trigger user`)

    const { stale } = await findStaleReads(processes, [table])

    expect(stale.length).toBeGreaterThan(0)
    expect(stale.filter((each) => !each.startsWith(table))).toEqual([])
  },
)
