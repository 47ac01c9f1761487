import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { deriveEventId } from '../../apps/service/src/deliveries/webhooks/compose.ts'
import { caller } from '../../apps/service/test/caller.ts'
import type { Merchant, Service } from '../../apps/service/test/service.ts'
import type { MoveLedger } from './move-load.ts'

export type MoveFindings = {
  acknowledged: number
  requests: number
  lost: number
  resurrected: number
  charged_twice: number
  webhooks_lost: number
  webhooks_twice: number
  wrong_responses: number
}

type JoinMove = {
  target: Service
  tenant: Merchant
  ledger: MoveLedger
  received: readonly { headers: Record<string, string> }[]
  address: string
}

/** Compares what was acknowledged with what the cell has to which the tenant moved. */
export async function joinMove({
  target,
  tenant,
  ledger,
  received,
  address,
}: JoinMove): Promise<MoveFindings> {
  const { ctx } = target
  const { created, acknowledged, erased } = ledger
  const rows = await ctx.db.query<{ id: string; status: string }>(sql`
    select id, status from verification_sessions where tenant_id = ${tenant.tenant_id} limit 1000000`)
  const stored = new Map(rows.map(({ id, status }) => [id, status]))
  const kept = [...created.values()].filter((id) => !erased.has(id))
  const by = caller(address, tenant.key)
  const { verifications_created: used } = (await by.get('/v1/usage')).body
  const messages = new Map<string, number>()
  for (const { headers } of received) {
    const id = headers['x-service-event-id'] ?? ''
    messages.set(id, (messages.get(id) ?? 0) + 1)
  }
  const sent = await Promise.all(
    [...acknowledged].map(async (id) => ({
      id,
      count: messages.get(await deriveEventId(ctx.keyring, id)) ?? 0,
    })),
  )
  for (const description of ledger.wrong.slice(0, 5)) process.stderr.write(`${description}\n`)
  return {
    acknowledged: created.size + acknowledged.size + erased.size,
    requests: ledger.requests,
    lost:
      kept.filter((id) => !stored.has(id)).length +
      [...acknowledged].filter((id) => !erased.has(id) && stored.get(id) === 'pending').length,
    resurrected: [...erased].filter((id) => stored.has(id)).length,
    charged_twice: Math.abs(used - created.size),
    webhooks_lost: sent.filter(({ id, count }) => count === 0 && !erased.has(id)).length,
    webhooks_twice: sent.filter(({ count }) => count > 1).length,
    wrong_responses: ledger.wrong.length,
  }
}
