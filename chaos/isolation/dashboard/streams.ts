import { setTimeout as sleep } from 'node:timers/promises'
import type { DashboardOperation } from '@vidimus/contract'
import { flushAudit } from '../../../apps/service/src/audit/advance.ts'
import { checkLines } from '../../../apps/service/test/audit/audit.ts'
import { expectEqual } from '../expect-equal.ts'
import { deviceBody } from '../fixture/tenant-fixture.ts'
import type { IsolationFixture } from '../fixture/isolation-fixture.ts'
import type { RouteTrial } from './writes.ts'

/** Longer than a change takes to reach an open page. */
const notification_ms = 1000

export const streamTrials = {
  getEvents: async (fixture) => {
    const { otherTenant, victim } = fixture
    // A newly opened page is notified of entries that are not chained yet, so all are chained first.
    await flushAudit(fixture.service.ctx)
    const page = await openEventStream(fixture)
    await sleep(notification_ms)
    const opening = page.received().length
    const register = (of: typeof victim) =>
      of.team.owner.call('registerDevice', { params: { environment: 'test' }, body: deviceBody('another') })
    await register(victim)
    await sleep(notification_ms)
    const ofOthers = page.received().slice(opening)
    await register(otherTenant)
    await sleep(notification_ms)
    const ofOwn = page.received().slice(opening + ofOthers.length)
    page.close()
    return [
      ...expectEqual('changes of other tenants', ofOthers.includes('change'), false),
      ...expectEqual('changes of the own tenant', ofOwn.includes('"topics":["devices"]'), true),
    ]
  },
  exportAudit: async ({ service, otherTenant }) => {
    const { text } = await otherTenant.team.auditor.call('exportAudit')
    const lines = text.trimEnd().split('\n')
    const tenants = lines.slice(0, -1).map((line) => JSON.parse(line).entry.tenant_id)
    const { valid } = await checkLines(service.ctx, lines)
    return [
      ...expectEqual('whose entries are exported', [...new Set(tenants)], [otherTenant.merchant.tenant_id]),
      ...expectEqual('the export', valid, true),
    ]
  },
} satisfies Partial<Record<DashboardOperation, RouteTrial>>

async function openEventStream({ service, otherTenant }: IsolationFixture) {
  const ending = new AbortController()
  const { body } = await fetch(`${service.address}/dashboard/api/test/events`, {
    headers: { cookie: otherTenant.team.owner.cookie(), 'sec-fetch-site': 'same-origin' },
    signal: ending.signal,
  })
  let received = ''
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  const read = async () => {
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read())
      received += next.value
  }
  // The stream fails when the page is closed.
  const reading = read().catch(() => {})
  return { received: () => received, close: () => (ending.abort(), void reading) }
}
