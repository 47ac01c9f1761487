import { expect, test } from 'vitest'
import { startService } from '../../../test/service.ts'
import { waitUntil } from '../../../test/wait-until.ts'

test('a request that cannot be recorded is reported, and the process goes on', async () => {
  const lines: string[] = []
  await using service = await startService({ onLog: (line) => lines.push(line) })
  const merchant = await service.tenant()
  service.ctx.metrics.requestDuration.observe = () => {
    throw new Error('injected')
  }
  expect((await merchant.get('/v1/usage')).status).toBe(200)
  await waitUntil(() => lines.some((line) => line.includes('could not record a request')))
  expect((await merchant.get('/v1/usage')).status).toBe(200)
})
