import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAuditLog } from '../../../test/audit/audit.ts'
import { openRawConnection } from '../../../test/network/raw-connection.ts'
import { signIn } from '../../../test/sign-in/browser.ts'
import { startService, type Service } from '../../../test/service.ts'
import { waitUntil } from '../../../test/wait-until.ts'
import { respondUntilAccepted } from '../../../test/respond-until-accepted.ts'
import { sql } from '../../engine/db/sql.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const here = { environment: 'test' }
const header = 'id,status,template,error_code,device_id,created_at,expires_at,responded_at,purpose,metadata'

async function completed(merchant: Awaited<ReturnType<Service['tenant']>>, template = 'age_over_18') {
  const { body } = await merchant.post('/v1/verifications', { template })
  await respondUntilAccepted(service, body.wallet_uri)
  return body.id as string
}

test('verifications are downloaded as CSV, filtered as the list is, without claims', async () => {
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const done = await completed(merchant)
  const open = (await merchant.post('/v1/verifications', { template: 'identity_basic' })).body
  const { status, headers, text } = await owner.call('exportVerifications', { params: here })
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(headers.get('content-disposition')).toContain('vidimus-verifications-test.csv')
  const lines = text.split('\r\n')
  expect(lines[0]).toBe(header)
  expect(lines[1]).toMatch(new RegExp(`^${open.id},pending,identity_basic,,,${open.created_at},`))
  expect(lines[2]).toMatch(new RegExp(`^${done},completed,age_over_18,,,`))
  expect(lines).toHaveLength(4)
  const filtered = await owner.call('exportVerifications', { params: here, query: { status: 'completed' } })
  expect(filtered.text.split('\r\n')).toHaveLength(3)
  expect((await readAuditLog(service.ctx, merchant.tenant_id)).map(({ action }) => action)).not.toContain(
    'verification.claims_exported',
  )
})

test('claims are included only for a role that may read them, after an audit entry', async () => {
  const merchant = await service.tenant()
  await completed(merchant)
  const owner = await signIn(service, merchant)
  const query = { status: 'completed' }
  const { text } = await owner.call('exportClaims', { params: here, query })
  expect(text.split('\r\n')[1]).toContain('"{""age_over_18"":true}"')
  for (const role of ['support', 'auditor'] as const) {
    const member = await signIn(service, { tenant_id: merchant.tenant_id, role })
    const refused = await member.call('exportClaims', { params: here, query })
    expect([role, refused.status, refused.body.error.code]).toEqual([role, 403, 'role_not_allowed'])
    const plain = await member.call('exportVerifications', { params: here })
    expect([role, plain.status, plain.text.includes('age_over_18":')]).toEqual([role, 200, false])
  }
  const entries = await readAuditLog(service.ctx, merchant.tenant_id)
  expect(entries.filter(({ action }) => action === 'verification.claims_exported')).toMatchObject([
    { detail: { environment: 'test', status: 'completed' } },
  ])
})

test('purpose and metadata are in both downloads, filtered by metadata, without a formula and without a trace in the audit log', async () => {
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const metadata = { note: 'a,"b"', order: 'W-4711' }
  const { id } = (
    await merchant.post('/v1/verifications', { template: 'age_over_18', purpose: '=1+1', metadata })
  ).body
  await merchant.post('/v1/verifications', { template: 'age_over_18', metadata: { other: 'W-4711' } })
  const download = async (operation: 'exportVerifications' | 'exportClaims', filter: string) =>
    (await owner.call(operation, { params: here, query: { metadata: filter } })).text
      .split('\r\n')
      .slice(1, -1)
  for (const operation of ['exportVerifications', 'exportClaims'] as const) {
    const [line, ...rest] = await download(operation, 'order=W-4711')
    expect(line).toContain(`${id},pending`)
    expect(line).toContain(`,'=1+1,"${JSON.stringify(metadata).replaceAll('"', '""')}"`)
    expect(rest).toEqual([])
  }
  expect(await download('exportVerifications', 'w-4711')).toHaveLength(2)
  const [entry] = (await readAuditLog(service.ctx, merchant.tenant_id)).filter(
    ({ action }) => action === 'verification.claims_exported',
  )
  expect(entry?.detail).toEqual({ environment: 'test', metadata: true })
})

test('another tenant gets none of these lines, and a stranger none at all', async () => {
  const merchant = await service.tenant()
  const id = await completed(merchant)
  const stranger = await signIn(service, await service.tenant())
  const { text } = await stranger.call('exportVerifications', { params: here })
  expect(text).toBe(`${header}\r\n`)
  expect(text).not.toContain(id)
})

test('a client that does not read holds no connection to the database, and a second download is refused', async () => {
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const { db } = service.ctx
  await db.execute(sql`
    insert into verification_sessions (day, id, tenant_id, environment, template, certificate, created_at, expires_at)
    select service_day(), 'vs_0' || n || repeat('x', 600), ${merchant.tenant_id}, 'test', repeat('x', 64), decode('00', 'hex'),
      (service_day())::timestamptz + n * interval '1 microsecond', service_now()
    from generate_series(1, 20000) as n`)
  await db.execute(sql`
    update tenant_usage set used = 20000, day = service_day() where tenant_id = ${merchant.tenant_id}`)
  using slow = openRawConnection(service.address)
  slow.write(
    `GET /dashboard/api/test/verifications.csv HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\nCookie: ${owner.cookie()}\r\n\r\n`,
  )
  await once(slow.socket, 'data')
  slow.socket.pause()
  // Only for the moment of a page: a slow client holds none of them.
  await waitUntil(async () => {
    const [row] = await db.query<{ busy: number }>(sql`
      select count(*) as busy from pg_stat_activity
      where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`)
    return row?.busy === 0
  })
  const second = await owner.call('exportVerifications', { params: here })
  expect([second.status, second.body.error.code]).toEqual([429, 'rate_limit_exceeded'])
})

test('audit entries are downloaded as CSV by those who may read them, filtered as the list is', async () => {
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  await merchant.post('/v1/verifications', { template: 'age_over_18', purpose: '=1+1' })
  await readAuditLog(service.ctx, merchant.tenant_id)
  const { status, text } = await owner.call('exportAuditCsv', { query: { action: 'verification.created' } })
  expect(status).toBe(200)
  const [head, line, ...rest] = text.split('\r\n')
  expect(head).toBe('seq,at,action,actor,actor_name,subject,purpose,detail,erased')
  expect(line).toMatch(new RegExp(`verification.created,key:${merchant.key_id},,vs_[\\w-]+,'=1\\+1,,false$`))
  expect(rest).toEqual([''])
  const support = await signIn(service, { tenant_id: merchant.tenant_id, role: 'support' })
  expect((await support.call('exportAuditCsv')).status).toBe(403)
})
