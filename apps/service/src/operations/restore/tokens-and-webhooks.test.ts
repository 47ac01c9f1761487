import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { caller } from '../../../test/caller.ts'
import { reply, startReceiver } from '../../../test/network/receiver.ts'
import { pairDevice } from '../../../test/pair-device.ts'
import { openRestorableService } from '../../../test/restored-service.ts'
import type { Service } from '../../../test/service.ts'
import { openBrowser, signIn } from '../../../test/sign-in/browser.ts'
import { waitUntil } from '../../../test/wait-until.ts'
import { openWallet } from '../../../test/wallet.ts'
import { runWorker } from '../../program/worker.ts'
import { applyRestore } from './apply.ts'

const refresh = async ({ anonymous }: Service, { refresh_token }: { refresh_token: string }) =>
  anonymous.post('/v1/devices/token', { refresh_token })

test('after a restore a till goes on with its newest token, and a used one revokes the device', async () => {
  await using restorable = await openRestorableService()
  const { known, unnoted, stolen } = await restorable.run(async (service) => {
    const merchant = await service.tenant()
    const pair = async () => (await pairDevice(service, merchant)).tokens
    return { known: await pair(), unnoted: await pair(), stolen: await pair() }
  })
  await restorable.backUp()
  const newest = await restorable.run(async (service) => ({
    known: (await refresh(service, known)).body,
    stolen: (await refresh(service, stolen)).body,
  }))
  // Of this refresh the ledger knows nothing, as if the machine had crashed before the note was written.
  const later = await restorable.run(async (service) => (await refresh(service, unnoted)).body, {
    environment: { ERASURE_LEDGER: '' },
  })
  restorable.restore()

  const { notes } = await restorable.command((ctx) => applyRestore(ctx, { restored: true }))

  expect(notes).toMatchObject({ raised: 2, accepting_later: 3 })
  await restorable.run(async (service) => {
    expect((await refresh(service, newest.known)).status).toBe(200)
    const accepted = await refresh(service, later)
    expect(accepted.status).toBe(200)
    // Accepted once: presenting it again is the reuse of a used token, as always.
    expect((await refresh(service, later)).status).toBe(400)
    expect((await refresh(service, accepted.body)).status).toBe(400)

    expect((await refresh(service, stolen)).status).toBe(400)
    expect((await refresh(service, newest.stolen)).status).toBe(400)
    const till = caller(service.address, newest.stolen.access_token)
    expect((await till.get('/v1/verifications')).status).toBe(401)
  })
})

test('a webhook that was delivered before a restore is not sent again, shown as unknown, and can be resent', async () => {
  await using receiver = await startReceiver(reply(200))
  await using restorable = await openRestorableService({
    environment: { WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8' },
  })
  const { id, owner } = await restorable.run(async (service) => {
    const merchant = await service.tenant()
    const body = { template: 'age_over_18', webhook_url: receiver.url }
    const created = (await merchant.post('/v1/verifications', body)).body
    await (await openWallet(service.ctx, service.address)).respond(created.wallet_uri)
    return { id: created.id, owner: await signIn(service, merchant) }
  })
  await restorable.backUp()
  const work = async ({ ctx }: Service, until: () => Promise<unknown>) => {
    const stop = new AbortController()
    const working = runWorker(ctx, stop.signal)
    await until()
    stop.abort()
    await working
  }
  const delivered = (count: number) =>
    waitUntil(() => receiver.received.length >= count, { within_ms: 60_000 })
  await restorable.run((service) => work(service, () => delivered(1)))
  restorable.restore()

  const { notes } = await restorable.command((ctx) => applyRestore(ctx))

  expect(notes).toMatchObject({ webhooks_unknown: 1 })
  await restorable.run(async (service) => {
    await work(service, () => sleep(1500))
    expect(receiver.received).toHaveLength(1)
    const browser = openBrowser(service)
    for (const [name, value] of owner.cookies) browser.cookies.set(name, value)
    const params = { environment: 'test' }
    const { data } = (await browser.call('listDeliveries', { params })).body
    expect(data).toMatchObject([{ verification_id: id, outcome: 'unknown' }])
    expect(data[0].error).toContain('not sent again')
    const detail = await browser.call('getDelivery', { params: { ...params, id, attempt: '1' } })
    expect(detail.body.state).toBe('unknown')
    expect((await browser.call('resendWebhook', { params: { ...params, id } })).status).toBe(200)
    await work(service, () => delivered(2))
  })
})
