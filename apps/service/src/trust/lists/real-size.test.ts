import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startService } from '../../../test/service.ts'
import { realSizes, startRealSizeLists } from '../../../test/trust/real-size-lists.ts'
import { openWallet } from '../../../test/wallet.ts'
import { refreshAllLists } from './refresh.ts'

const folder = mkdtempSync(join(tmpdir(), 'vidimus-real-size-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('lists of real size are refreshed while responses are verified', { timeout: 240_000 }, async () => {
  await using lists = await startRealSizeLists()
  const file = join(folder, 'lists.json')
  writeFileSync(file, JSON.stringify(lists.settings))
  await using service = await startService({
    environment: { TRUST_LISTS_FILE: file, WEBHOOK_EGRESS_ALLOW: '127.0.0.1/32' },
  })
  const merchant = await service.tenant()
  const wallet = await openWallet(service.ctx, service.address, { format: 'dc+sd-jwt' })
  const verify = async () => {
    const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
    await wallet.respond(body.wallet_uri)
    return (await merchant.get(`/v1/verifications/${body.id}`)).body.status
  }
  lists.publish(1)
  expect(lists.bodies.xml.length).toBeGreaterThan(5_000_000)
  expect(lists.bodies.xml.length).toBeLessThan(6_000_000)
  const sizes = [realSizes.vical, realSizes.xml_requested, realSizes.lote]
  const counts = async () =>
    (await refreshAllLists(service.ctx)).map((list) => 'anchors' in list && list.anchors)
  expect((await counts()).toSorted((a, b) => Number(a) - Number(b))).toEqual(sizes)

  lists.publish(2)
  let refreshing = true
  const refreshed = refreshAllLists(service.ctx).finally(() => (refreshing = false))
  const statuses: string[] = []
  while (refreshing) statuses.push(await verify())
  expect(await refreshed).toEqual(
    Array.from({ length: 3 }, () => expect.objectContaining({ sequence_number: 2 })),
  )
  statuses.push(await verify())
  expect(new Set(statuses)).toEqual(new Set(['completed']))
  const { anchors } = await service.ctx.trust.snapshot('test')
  expect(anchors.length).toBeGreaterThan(realSizes.lote + realSizes.vical)
})
