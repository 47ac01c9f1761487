import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startCollector } from '../../../../test/network/collector.ts'
import { startProcesses } from '../../../../test/processes/processes.ts'
import { waitUntil } from '../../../../test/wait-until.ts'
import { openWallet } from '../../../../test/wallet.ts'
import { sql } from '../../db/sql.ts'

test('in the packed program a statement is named by the module and the function that send it', async () => {
  await using collector = await startCollector()
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '50' }
  await using service = await startProcesses(1, { environment })
  const [{ address, child } = { address: '', child: undefined }] = service.processes
  expect(child?.spawnargs.join(' ')).toMatch(/\/main\.js serve$/)
  const merchant = await service.tenant()
  const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  await (await openWallet(service.ctx, address)).respond(body.wallet_uri)

  const recorded = 'sql verifications.recordResponses'
  await waitUntil(() => collector.spans.some(({ name }) => name === recorded))
  const names = new Set(collector.spans.map(({ name }) => name).filter((name) => name.startsWith('sql ')))
  expect([...names]).toEqual(
    expect.arrayContaining(['sql accounts.findKeys', 'sql verifications.createVerifications']),
  )
  const senders = [...names].filter((name) => name.includes('.'))
  expect(senders.length).toBeGreaterThan(10)
  const modules = readdirSync('apps/service/src')
  expect(senders.filter((name) => !modules.includes(name.slice(4, name.indexOf('.'))))).toEqual([])
  expect([...names].filter((name) => /startStatement|observability|engine\.query/.test(name))).toEqual([])
})

test('in the packed program a logged error names the sources that it passed through', async () => {
  await using service = await startProcesses(1)
  const [process] = service.processes
  const merchant = await service.tenant()
  await service.ctx.db.execute(sql`alter table usage_days rename to elsewhere`)
  const { status } = await merchant.get('/v1/usage')
  expect(status).toBe(500)
  const log = () => process?.log() ?? ''
  await waitUntil(() => log().includes('"stack"'))
  expect(log()).toMatch(/\(?apps\/service\/src\/accounts\/usage\/\S+\.ts in [\w-]+\.js:\d+:\d+/)
})
