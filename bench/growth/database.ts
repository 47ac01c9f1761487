import { readConfig } from '../../apps/service/src/engine/config/config.ts'
import { openContext } from '../../apps/service/src/program/context.ts'
import { migrate } from '../../apps/service/src/engine/db/schema/migrate.ts'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { openLog } from '../../apps/service/src/engine/observability/log.ts'
import { createTenant } from '../../apps/service/src/accounts/tenants/create.ts'
import { connectAsAdmin, databaseUrl } from '../../apps/service/test/database/postgres.ts'
import { testEnvironment } from '../../apps/service/test/service.ts'

const merchantName = 'A growing merchant'

export type GrowthDatabase = { name: string; url: string; tenant_id: string }

/** The database for that many verifications, migrated, with the tenant whose verifications are measured. It may be there from an earlier run. */
export async function openGrowthDatabase(verifications: number): Promise<GrowthDatabase> {
  const name = `vidimus_growth_${verifications}`
  await using admin = await connectAsAdmin()
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
  if (rowCount === 0) await admin.query(`create database ${name}`)
  const url = databaseUrl(name)
  await migrate({ url })
  await using ctx = await openContext({
    ...readConfig(testEnvironment(url)),
    log: openLog({ LOG_LEVEL: 'silent' }),
  })
  const [found] = await ctx.db.query<{ id: string }>(
    sql`select id from tenants where name = ${merchantName} limit 1`,
  )
  const tenant_id =
    found?.id ?? (await createTenant(ctx, { name: merchantName, daily_quota: 2_000_000_000 })).tenant_id
  return { name, url, tenant_id }
}

export async function dropGrowthDatabase({ name }: GrowthDatabase): Promise<void> {
  await using admin = await connectAsAdmin()
  await admin.query(`drop database ${name} with (force)`)
}
