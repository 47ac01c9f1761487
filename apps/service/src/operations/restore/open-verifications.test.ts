import { expect, test } from 'vitest'
import { caller } from '../../../test/caller.ts'
import { openRestorableService } from '../../../test/restored-service.ts'
import { openWallet } from '../../../test/wallet.ts'
import { applyRestore } from './apply.ts'

test('[RESTORE-2] what was cancelled or answered since a backup cannot be completed in the restored database', async () => {
  await using restorable = await openRestorableService()
  const { key, cancelled, completed, before } = await restorable.run(async (service) => {
    const merchant = await service.tenant()
    const create = async () => (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
    const first = await create()
    await merchant.post(`/v1/verifications/${first.id}/cancel`)
    return { key: merchant.key, cancelled: await create(), completed: await create(), before: first }
  })
  await restorable.backUp()
  await restorable.run(async (service) => {
    await caller(service.address, key).post(`/v1/verifications/${cancelled.id}/cancel`)
    await (await openWallet(service.ctx, service.address)).respond(completed.wallet_uri)
  })
  restorable.restore()

  const { ended } = await restorable.command((ctx) => applyRestore(ctx, { restored: true }))

  expect(ended).toBe(2)
  await restorable.run(async (service) => {
    const merchant = caller(service.address, key)
    const wallet = await openWallet(service.ctx, service.address)
    for (const { id, wallet_uri } of [cancelled, completed, before]) {
      expect((await merchant.get(`/v1/verifications/${id}`)).body.status).toBe('expired')
      expect(await wallet.respond(wallet_uri)).toMatchObject({ http_status: 410 })
    }
    const next = (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
    expect(await wallet.respond(next.wallet_uri)).toMatchObject({ http_status: 200 })
  })
})
