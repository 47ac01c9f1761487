import { Client } from 'pg'
import { createKey } from '../../../apps/service/src/accounts/api-keys/create-key.ts'
import { readConfig } from '../../../apps/service/src/engine/config/config.ts'
import { openLog } from '../../../apps/service/src/engine/observability/log.ts'
import { openContext } from '../../../apps/service/src/program/context.ts'
import { waitUntil } from '../../../apps/service/test/wait-until.ts'
import type { Installation } from './start-installation.ts'
import { call, create, type States, type Tenant } from './calls.ts'

/** States of a disk, a log, a caller or a database that is too much for the service. */
export function overloadStates(
  installation: Installation,
  tenant: Tenant,
  resources: AsyncDisposableStack,
): Record<string, States> {
  const { databaseDisk, ledgerDisk, postgres } = installation
  const creates = (status: number) => async () =>
    (await call(installation, tenant, '/v1/verifications', { body: { template: 'age_over_18' } })).status ===
    status
  return {
    'disk-full': {
      full: async () => {
        resources.defer(() => databaseDisk.free())
        databaseDisk.fill()
        // The pages that exist take some more rows.
        await waitUntil(creates(503), { within_ms: 60_000 })
      },
      freed: async () => databaseDisk.free(),
    },
    'ledger-unwritable': {
      full: async () => {
        resources.defer(() => ledgerDisk.free())
        ledgerDisk.fill()
        // The last page of its file takes some more entries.
        await waitUntil(async () => {
          const { id } = await create(installation, tenant)
          return (
            (await call(installation, tenant, `/v1/verifications/${id}`, { method: 'DELETE' })).status === 503
          )
        })
      },
      freed: async () => ledgerDisk.free(),
    },
    'audit-broken': {
      altered: async () => {
        await create(installation, tenant)
        await installation.stop('work')
        await postgres.run("update audit_log set origin = 'other.' || origin")
        await create(installation, tenant)
        // A worker compares everything with the signature when it starts, and later only the end of the log.
        await installation.start('work')
      },
      mended: () => postgres.run("update audit_log set origin = substr(origin, length('other.') + 1)"),
    },
    'abusive-tenant': {
      flooded: async () => {
        for (let count = 0; count < 30; count += 1) await create(installation, tenant)
        // One address may have 512 connections.
        for (let round = 0; round < 22; round += 1)
          await Promise.all(Array.from({ length: 50 }, () => call(installation, tenant, '/v1/templates')))
      },
    },
    overload: {
      blocked: () => holdLock(installation, resources),
      calm: async () => {},
    },
    'verifications-failing': {
      failing: async () => {
        const VIDIMUS_KEY = await createLiveKey(installation, tenant)
        // The live environment does not trust the issuer of the sandbox.
        for (let count = 0; count < 3; count += 1) {
          const { wallet_uri } = await create(installation, { ...tenant, VIDIMUS_KEY })
          await installation.run('wallet', 'respond', wallet_uri)
        }
      },
    },
  }
}

/** More than twice as many as `serve` has connections. */
const readers = 24

/** Somebody forgets an open transaction with a lock, and merchants go on reading until it ends. */
async function holdLock(installation: Installation, resources: AsyncDisposableStack): Promise<void> {
  // Requests of one tenant would wait for each other, and those of a tenant without verifications do not read the table.
  const tenants: Tenant[] = []
  while (tenants.length < readers) {
    const tenant = await installation.createTenant()
    await create(installation, tenant)
    tenants.push(tenant)
  }
  const client = new Client({ connectionString: installation.postgres.url, application_name: 'psql' })
  client.on('error', () => {
    // Its session is ended by a command of the page.
  })
  await client.connect()
  let isHeld = true
  client.on('end', () => (isHeld = false))
  resources.defer(() => client.end().catch(() => {}))
  await client.query('begin; lock table verification_sessions in access exclusive mode')
  const readOn = async (tenant: Tenant) => {
    while (isHeld) await call(installation, tenant, '/v1/verifications').catch(() => {})
  }
  for (const tenant of tenants) void readOn(tenant)
}

async function createLiveKey({ settings }: Installation, { TENANT }: Tenant): Promise<string> {
  const log = openLog({ LOG_LEVEL: 'silent' })
  await using ctx = await openContext({ ...readConfig(settings), log })
  const by = { kind: 'operator', tenant_id: TENANT } as const
  const { key } = await createKey(ctx, { by, environment: 'live', scopes: ['verifications:create'] })
  return key
}
