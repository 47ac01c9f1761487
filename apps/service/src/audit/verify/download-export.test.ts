import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { checkLines, insertEntries } from '../../../test/audit/audit.ts'
import { signIn, type SignedInBrowser } from '../../../test/sign-in/browser.ts'
import { startService, type Service } from '../../../test/service.ts'
import { sql } from '../../engine/db/sql.ts'
import { flushAudit } from '../advance.ts'

/** About 8 MB, more than the kernel buffers for a client that does not read. */
const entries = 12_000

const opening = startWithLog()
afterAll(async () => (await opening).service[Symbol.asyncDispose]())

/** All tests of this file share one log, which takes seconds to build. */
async function startWithLog() {
  const service = await startService({ environment: { DB_POOL_SIZE: '4' } })
  const merchant = await service.tenant()
  const auditor = await signIn(service, { ...merchant, role: 'auditor' })
  await insertEntries(service.ctx.db, [merchant.tenant_id], entries)
  await flushAudit(service.ctx, merchant.tenant_id)
  return { service, merchant, auditor }
}

/** Requests an export and reads nothing of it. */
function openUnread(service: Service, auditor: SignedInBrowser): Socket {
  const { hostname, port } = new URL(service.address)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.pause()
  socket.write(
    `GET /dashboard/api/audit/export HTTP/1.1\r\nhost: x\r\ncookie: ${auditor.cookie()}\r\nsec-fetch-site: same-origin\r\n\r\n`,
  )
  return socket
}

async function openTransactions({ ctx }: Service): Promise<number> {
  const [row] = await ctx.db.query<{ count: number }>(sql`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`)
  return row?.count ?? 0
}

test('exports that nobody reads hold no database connection, and free their slot when closed', async () => {
  const { service, auditor } = await opening
  const other = await service.tenant()
  const sockets = Array.from({ length: 12 }, () => openUnread(service, auditor))
  await expect.poll(() => openTransactions(service)).toBe(0)

  const statuses = await Promise.all(
    Array.from({ length: 8 }, () => other.post('/v1/verifications', { template: 'age_over_18' })),
  )
  expect(statuses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201))
  const refused = await auditor.call('exportAudit')
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limit_exceeded' } } })

  for (const socket of sockets) socket.resetAndDestroy()
  await expect.poll(async () => (await auditor.call('exportAudit')).status).toBe(200)
})

test('an export that is read slowly while verifications are erased checks, and ends at the moment it began', async () => {
  const { service, merchant, auditor } = await opening
  const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18', purpose: 'Entry' })
  const response = await fetch(`${service.address}/dashboard/api/audit/export`, {
    headers: { cookie: auditor.cookie(), 'sec-fetch-site': 'same-origin' },
  })
  expect(response.status).toBe(200)
  await expect.poll(() => openTransactions(service)).toBe(0)
  expect((await merchant.delete(`/v1/verifications/${body.id}`)).status).toBe(200)

  const lines = (await response.text()).trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(entries)
  expect((await checkLines(service.ctx, lines)).faults).toEqual([])
})

test('an export whose database connection is lost is refused or aborted, and never a 500', async () => {
  const { service, auditor } = await opening
  const cut = async (after_ms: number) => {
    const response = fetch(`${service.address}/dashboard/api/audit/export`, {
      headers: { cookie: auditor.cookie(), 'sec-fetch-site': 'same-origin' },
    }).then(async (exported) => {
      const text = await exported.text().catch(() => 'aborted')
      return text === 'aborted' ? text : exported.status
    })
    await sleep(after_ms)
    await service.ctx.db.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    return response
  }
  const seen = new Set<string | number>()
  for (const after_ms of [10, 40, 80]) {
    seen.add(await cut(after_ms))
    await expect.poll(async () => (await auditor.call('exportAudit')).status).toBe(200)
  }
  expect([...seen].filter((each) => ![200, 503, 'aborted'].includes(each))).toEqual([])
  expect([...seen].some((each) => each !== 200)).toBe(true)
})
