import type { Database } from '../../apps/service/src/platform/db/open.ts'
import { sql } from '../../apps/service/src/platform/db/sql.ts'
import { newSessionId } from '../../apps/service/src/platform/ids.ts'
import { createSessions, type Creation } from '../../apps/service/src/verifications/store.ts'
import { expected } from './expected.ts'
import type { World } from './world.ts'

/** Creations of several tenants in one call, as many of each as nobody else has: each is counted for its own. */
export async function oneBatch({ service, victim, stranger, sleeper }: World): Promise<string[]> {
  const { db } = service.ctx
  const wanted = [victim.merchant, victim.merchant, victim.merchant, stranger.merchant]
  const before = await usedBy(db)
  const outcomes = await createSessions(
    db,
    await Promise.all(wanted.map(({ tenant_id }) => creationOf(db, tenant_id))),
    {
      '': 1_000_000,
    },
  )
  const after = await usedBy(db)
  const more = (of: string) => (after.get(of) ?? 0) - (before.get(of) ?? 0)
  const [days] = await db.query<{ count: number }>(
    sql`select count(*) as count from usage_days where tenant_id = ${sleeper.tenant_id}`,
  )
  return [
    ...expected(
      'the outcomes',
      outcomes.map(({ outcome }) => outcome),
      wanted.map(() => 'created'),
    ),
    ...expected(
      'the counts',
      [victim, stranger].map(({ merchant }) => more(merchant.tenant_id)),
      [3, 1],
    ),
    ...expected('the days of a tenant that slept', [more(sleeper.tenant_id), days?.count], [0, 0]),
  ]
}

async function usedBy(db: Database): Promise<Map<string, number>> {
  const rows = await db.query<{ tenant_id: string; used: number }>(
    sql`select tenant_id, used from tenant_usage`,
  )
  return new Map(rows.map(({ tenant_id, used }) => [tenant_id, used]))
}

async function creationOf(db: Database, tenant_id: string): Promise<Creation> {
  const [now] = await db.query<{ day: string }>(sql`select service_day() as day`)
  const day = now?.day ?? ''
  return {
    tenant_id,
    environment: 'test',
    device_id: null,
    day,
    id: newSessionId('0', day),
    key_hash: null,
    key_lock: null,
    body_hash: null,
    template: 'age_over_18',
    template_version: null,
    query: { credentials: [] },
    metadata: null,
    purpose: 'one batch',
    webhook_url: null,
    redirect_url: null,
    ttl_seconds: 300,
    certificate: '\\x00',
    seed: '\\x00',
    actor: 'operator',
    actor_name: null,
    answer: '{',
    refused: false,
  }
}
