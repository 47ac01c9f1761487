import { setTimeout as sleep } from 'node:timers/promises'
import type { DashboardOperation } from '@vidimus/contract'
import { flushAudit } from '../../../apps/service/src/audit/flush.ts'
import { checkLines } from '../../../apps/service/test/audit/audit.ts'
import { expected } from '../expected.ts'
import { deviceOf } from '../household.ts'
import type { World } from '../world.ts'
import type { Trial } from './writes.ts'

/** Longer than it takes a page to hear of a change. */
const heard_ms = 1000

export const streams = {
  getEvents: async (world) => {
    const { stranger, victim } = world
    // What waits for its chain is told once more to a page that opens, and that it has to read everything again.
    await flushAudit(world.service.ctx)
    const page = await listen(world)
    await sleep(heard_ms)
    const opening = page.said().length
    const register = (of: typeof victim) =>
      of.team.owner.call('registerDevice', { params: { environment: 'test' }, body: deviceOf('another') })
    await register(victim)
    await sleep(heard_ms)
    const ofOthers = page.said().slice(opening)
    await register(stranger)
    await sleep(heard_ms)
    const ofOwn = page.said().slice(opening + ofOthers.length)
    page.close()
    return [
      ...expected('what is heard of others', ofOthers.includes('change'), false),
      ...expected('what is heard of oneself', ofOwn.includes('"topics":["devices"]'), true),
    ]
  },
  exportAudit: async ({ service, stranger }) => {
    const { text } = await stranger.team.auditor.call('exportAudit')
    const lines = text.trimEnd().split('\n')
    const tenants = lines.slice(0, -1).map((line) => JSON.parse(line).entry.tenant_id)
    const { valid } = await checkLines(service.ctx, lines)
    return [
      ...expected('whose entries are exported', [...new Set(tenants)], [stranger.merchant.tenant_id]),
      ...expected('the export', valid, true),
    ]
  },
} satisfies Partial<Record<DashboardOperation, Trial>>

async function listen({ service, stranger }: World) {
  const ending = new AbortController()
  const { body } = await fetch(`${service.address}/dashboard/api/test/events`, {
    headers: { cookie: stranger.team.owner.cookie(), 'sec-fetch-site': 'same-origin' },
    signal: ending.signal,
  })
  let said = ''
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  const read = async () => {
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read())
      said += next.value
  }
  // It ends when the page is closed.
  const reading = read().catch(() => {})
  return { said: () => said, close: () => (ending.abort(), void reading) }
}
