import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../../../../test/processes/run-command.ts'
import { startService, testEnvironment } from '../../../../test/service.ts'
import { openWallet } from '../../../../test/wallet.ts'
import { sql } from '../../../engine/db/sql.ts'
import { collectSlowRequests } from './slow-requests.ts'

const tenant_id = '0192d0f4-0000-7000-8000-000000000001'
const line = (fields: object) =>
  JSON.stringify({
    level: 'info',
    method: 'GET',
    route: '/v1/usage',
    duration_ms: 1,
    tenant_id,
    ...fields,
    message: 'request',
  })

test('quantiles are right within two per cent, and each wait has its share', () => {
  const collected = collectSlowRequests(tenant_id)
  for (let ms = 1; ms <= 1000; ms += 1)
    collected.line(line({ duration_ms: ms, sql_ms: ms / 2, check_ms: ms / 4, lookup_ms: ms / 5 }))
  const [row] = collected.report().rows
  expect(row?.requests).toBe(1000)
  expect(Math.abs((row?.p50_ms ?? 0) / 500 - 1)).toBeLessThan(0.02)
  expect(Math.abs((row?.p99_ms ?? 0) / 990 - 1)).toBeLessThan(0.02)
  expect(row?.waits.map(({ for: wait, share }) => `${wait} ${share.toFixed(2)}`)).toEqual([
    'sql 0.50',
    'rest 0.25',
    'lookup 0.20',
    'check 0.05',
  ])
})

test('lines of other tenants, of other programs, and cut-off ones are left out, and routes are bounded', () => {
  const collected = collectSlowRequests(tenant_id)
  for (const text of [
    line({ tenant_id: tenant_id.replace('1', '2'), note: tenant_id }),
    line({}).slice(0, -5),
    `plain text about ${tenant_id}`,
    '',
    `"${tenant_id}"`,
    JSON.stringify({ tenant_id, message: 'serving' }),
  ])
    collected.line(text)
  expect(collected.report()).toEqual({ requests: 0, rows: [], refused: {} })

  for (let route = 0; route < 12_000; route += 1) collected.line(line({ route: `/${route}` }))
  expect(collected.report().rows).toHaveLength(10_000)
})

test('the log of a service says why one of its tenants is slow, wallets included, and nothing of another', async () => {
  const lines: string[] = []
  const environment = { RATE_LIMITS: 'key=20/60,ip=6000/60,session=600/60' }
  await using service = await startService({ environment, onLog: (text) => lines.push(text) })
  const merchant = await service.tenant()
  const other = await service.tenant()
  const wallet = await openWallet(service.ctx, service.address)
  const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  await other.post('/v1/verifications', { template: 'age_over_18' })
  await wallet.respond(body.wallet_uri)
  // A transaction of someone else holds the tenant's row, for which a creation waits.
  const lock = Promise.withResolvers<void>()
  const held = service.ctx.db.transaction(async (tx) => {
    await tx.query(sql`select from tenant_usage where tenant_id = ${merchant.tenant_id} for update`)
    lock.resolve()
    await tx.query(sql`select pg_sleep(1)`)
  })
  await lock.promise
  await merchant.post('/v1/verifications', { template: 'age_over_18' })
  await held
  for (let count = 0; count < 25; count += 1) await merchant.get('/v1/usage')

  const folder = mkdtempSync(join(tmpdir(), 'vidimus-logs-'))
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'serve.log')
  await expect
    .poll(() => lines.filter((text) => text.includes('rate_limit_exceeded')).length)
    .toBeGreaterThan(0)
  writeFileSync(file, lines.join(''))
  const run = async (...more: string[]) =>
    runCommand(['admin', 'logs', 'slow', '--tenant', merchant.tenant_id, '--file', file, ...more], {})
  const report = JSON.parse((await run('--json')).stdout)
  const routes: string[] = report.rows.map(({ name }: { name: string }) => name)
  expect(routes).toEqual(
    expect.arrayContaining([
      'POST /v1/verifications',
      'POST /wallet/request/:sessionId',
      'POST /wallet/response/:sessionId',
      'GET /v1/usage',
    ]),
  )
  const creations = report.rows.find(({ name }: { name: string }) => name === 'POST /v1/verifications')
  expect(creations).toMatchObject({ requests: 2, waits: [{ for: 'sql' }, ...creations.waits.slice(1)] })
  expect(creations.p99_ms).toBeGreaterThan(700)
  const responses = report.rows.find(({ name }: { name: string }) => name.includes('/wallet/response'))
  expect(responses.waits.map(({ for: wait }: { for: string }) => wait)).toContain('check')
  expect(report.refused['rate_limit_exceeded']).toBeGreaterThan(5)
  const shown = (await run()).stdout
  expect(shown).toMatch(/^requests +p50 ms +p99 ms +route +spent on\n/)
  expect(shown).toMatch(/\n +2 .*POST \/v1\/verifications +sql \d+ %/)
  expect(shown).toMatch(/refused: \d+ rate_limit_exceeded\n$/)

  const all = await runCommand(['admin', 'logs', 'slow', '--file', file, '--json'], {})
  const [first, second] = JSON.parse(all.stdout).rows
  expect([first.name, first.requests, second.name, second.requests]).toEqual([
    merchant.tenant_id,
    report.requests,
    other.tenant_id,
    1,
  ])
})

test('the hash of a verification is that of its lines in the log', async () => {
  const lines: string[] = []
  await using service = await startService({ onLog: (text) => lines.push(text) })
  const merchant = await service.tenant()
  const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  await service.anonymous.get(`/v1/verifications/${body.id}/status`)
  const settings = testEnvironment(service.database_url)

  const found = await runCommand(['admin', 'logs', 'verification', body.id, '--json'], settings)
  const { verification, trace_id } = JSON.parse(found.stdout)
  await expect.poll(() => lines.filter((text) => text.includes(`"${verification}"`)).length).toBe(1)
  expect(trace_id).toMatch(/^[0-9a-f]{32}$/)
  expect((await runCommand(['admin', 'logs', 'verification', 'vs_nothing'], settings)).status).toBe(2)
})
