import { randomUUID } from 'node:crypto'
import { startCheck, type CheckReport } from '@vidimus/evidence'
import { exportChain } from '../../src/audit/verify/export.ts'
import { openLog } from '../../src/audit/log/open-log.ts'
import { readConfig } from '../../src/engine/config/config.ts'
import { openContext, type ServiceContext } from '../../src/program/context.ts'
import type { Database, Db } from '../../src/engine/db/open.ts'
import { sql } from '../../src/engine/db/sql.ts'
import { openLog as openProgramLog } from '../../src/engine/observability/log.ts'
import { createTestDatabase } from '../database/test-database.ts'
import { testEnvironment } from '../service.ts'

/** A migrated database and a context on it, without a server. `node` opens another context, as a second process would. */
export async function openAuditFixture(environment: Record<string, string> = {}) {
  const database = await createTestDatabase()
  const opened: AsyncDisposable[] = []
  const node = async (): Promise<ServiceContext> => {
    const ctx = await openContext({
      ...readConfig(testEnvironment(database.url, environment)),
      log: openProgramLog({ LOG_LEVEL: 'silent' }),
    })
    opened.push(ctx)
    return ctx
  }
  return {
    ctx: await node(),
    node,
    database_url: database.url,
    async [Symbol.asyncDispose]() {
      for (const each of opened) await each[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

export function newTenants(count: number): string[] {
  return Array.from({ length: count }, () => randomUUID()).toSorted()
}

/** Inserts entries into the inbox as creations do, spread over the tenants, each about a different verification. */
export async function insertEntries(db: Db, tenants: readonly string[], count: number): Promise<void> {
  await db.execute(sql`
    insert into audit_inbox (tenant_id, action, actor, actor_name, subject, purpose, detail)
    select (${tenants}::uuid[])[1 + n % ${tenants.length}], 'verification.created', 'key:' || gen_random_uuid(),
      case when n % 3 = 0 then 'Till ' || n end, 'vs_' || md5(random()::text), case when n % 2 = 0 then 'Age check ' || n end,
      case when n % 5 = 0 then jsonb_build_object('n', n, 'é', 'ü') end
    from generate_series(1, ${count}::integer) n`)
}

/** Removes the texts about a subject from a chain and records that, as an erasure does. */
export async function eraseTexts(db: Database, tenant_id: string, subject: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [gone] = await tx.query<{ removed: number[] }>(
      sql`select erase_audit_texts(${tenant_id}, ${subject})::integer[] as removed`,
    )
    await tx.execute(sql`
      insert into audit_inbox (tenant_id, action, actor, detail)
      values (${tenant_id}, 'verification.erased', 'operator', ${{ removed: gone?.removed }})`)
  })
}

export async function exportLines(ctx: ServiceContext, tenant_id: string, since?: string): Promise<string[]> {
  const lines: string[] = []
  await exportChain(ctx, { tenant_id, since, write: (line) => void lines.push(line) })
  return lines
}

/** Checks an export as its recipient does: with the public key and a saved checkpoint. */
export async function checkLines(
  ctx: ServiceContext,
  lines: readonly string[],
  saved?: string,
): Promise<CheckReport> {
  const { publicKey } = (await openLog(ctx, ctx.db)).key
  const check = startCheck({ publicKey, saved })
  for (const line of lines) check.line(line)
  return check.end()
}

export type AuditEntryView = {
  action: string
  actor: string
  detail?: Record<string, unknown>
  actor_name?: string
  purpose?: string
  subject?: string
}

/** A tenant's chain as a merchant reads it: each entry with its remaining texts. */
export async function readAuditLog(ctx: ServiceContext, tenant_id: string): Promise<AuditEntryView[]> {
  const lines = await exportLines(ctx, tenant_id)
  return lines.slice(0, -1).map((line) => {
    const { entry, texts = {} } = JSON.parse(line)
    const remaining = Object.entries<{ text: string }>(texts).map(([name, { text }]) => [name, text])
    const { action, actor, detail } = entry
    return { action, actor, ...(detail !== undefined && { detail }), ...Object.fromEntries(remaining) }
  })
}
