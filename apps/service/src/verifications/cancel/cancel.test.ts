import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pairDevice } from '../../../test/pair-device.ts'
import { startService, type Service } from '../../../test/service.ts'
import { newVerification } from '../../../test/verification.ts'
import { openWallet } from '../../../test/wallet.ts'
import { sql } from '../../engine/db/sql.ts'
import { expireVerifications } from '../retention/expire.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const events = async (id: string) =>
  service.ctx.db.query<{ event_type: string }>(
    sql`select event_type from webhook_events where verification_id = ${id} order by event_type`,
  )

describe('a cancelled verification', () => {
  test('[CANCEL-1] reads expired at once, is refused to wallets, and is not charged again', async () => {
    const { merchant, id, read, wallet_uri } = await newVerification(service)
    const before = (await merchant.get('/v1/usage')).body.verifications_created
    const wallet = await openWallet(service.ctx, service.address)

    const cancelled = await merchant.post(`/v1/verifications/${id}/cancel`)
    const again = await merchant.post(`/v1/verifications/${id}/cancel`)
    const requested = await service.anonymous.get(`/wallet/request/${id}`)
    const posted = await service.anonymous.request('POST', `/wallet/response/${id}`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      raw: 'response=x',
    })

    expect([cancelled.status, again.status]).toEqual([200, 200])
    expect(cancelled.body).toMatchObject({ id, status: 'expired' })
    expect(cancelled.body).not.toHaveProperty('wallet_uri')
    expect(again.body).toEqual(cancelled.body)
    expect(await read()).toEqual(cancelled.body)
    expect([requested.status, requested.body.error.code]).toEqual([410, 'session_expired'])
    expect([posted.status, posted.body.error.code]).toEqual([410, 'session_expired'])
    expect(await wallet.respond(wallet_uri)).toMatchObject({ http_status: 410 })
    expect((await merchant.get('/v1/usage')).body.verifications_created).toBe(before)
  })

  test('[CANCEL-1] has no secret left, and takes no response to the request that a wallet fetched before', async () => {
    const { merchant, id, wallet_uri, read } = await newVerification(service)
    let form = ''
    const wallet = await openWallet(service.ctx, service.address, { onPost: (posted) => (form = posted) })
    await wallet.respond(wallet_uri)
    await merchant.post(`/v1/verifications/${id}/cancel`)
    const posted = await service.anonymous.request('POST', `/wallet/response/${id}`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      raw: form,
    })
    const rows = await service.ctx.db.query(
      sql`select seed, cancelled_by from verification_sessions where id = ${id}`,
    )

    expect(form).toContain('response=')
    expect([posted.status, (await read()).status]).toEqual([410, 'expired'])
    expect(rows).toEqual([{ seed: null, cancelled_by: 'merchant' }])
  })

  test('[CANCEL-2] that a wallet has responded to is refused with 409, and keeps its result', async () => {
    const { merchant, id, respond, read } = await newVerification(service)
    await respond()
    const { status, body } = await merchant.post(`/v1/verifications/${id}/cancel`)
    const byHolder = await service.anonymous.post(`/verify/${id}/cancel`)

    expect([status, body.error.code]).toEqual([409, 'session_already_responded'])
    expect(byHolder.status).toBe(409)
    expect((await read()).status).toBe('completed')
  })

  test('is one of the caller: another tenant and another device get 404', async () => {
    const { id, read } = await newVerification(service)
    const other = await service.tenant()
    const till = await pairDevice(service, other)

    expect((await other.post(`/v1/verifications/${id}/cancel`)).status).toBe(404)
    expect((await till.device.post(`/v1/verifications/${id}/cancel`)).status).toBe(404)
    expect((await other.post('/v1/verifications/vs_nothing/cancel')).status).toBe(404)
    expect((await service.anonymous.post('/verify/vs_nothing/cancel')).status).toBe(404)
    expect((await read()).status).toBe('pending')
  })

  test('tells the holder where to return, and is recorded with who did it', async () => {
    const redirect_url = 'https://shop.example/back'
    const { id, read } = await newVerification(service, { template: 'age_over_18', redirect_url })

    expect((await service.anonymous.post(`/verify/${id}/cancel`)).body).toEqual({ return_url: redirect_url })
    expect((await service.anonymous.get(`/verify/${id}/session`)).body).toMatchObject({
      phase: 'cancelled',
      return_url: redirect_url,
    })
    expect((await read()).status).toBe('expired')
  })

  test('[CANCEL-3] is announced once: as cancelled where an endpoint asks for it, otherwise as expired', async () => {
    const merchant = await service.tenant()
    for (const types of [
      ['verification.cancelled', 'verification.expired'],
      ['verification.expired'],
      ['verification.completed'],
    ])
      await merchant.post('/v1/webhook_endpoints', { url: 'https://1.1.1.1/hooks', events: types })
    const { id } = (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
    await merchant.post(`/v1/verifications/${id}/cancel`)
    await merchant.post(`/v1/verifications/${id}/cancel`)
    await expireVerifications(service.ctx)

    expect(await events(id)).toEqual([
      { event_type: 'verification.cancelled' },
      { event_type: 'verification.expired' },
    ])
  })
})

test('[CANCEL-2] of 200 cancellations that race with a response, each verification has exactly one end', async () => {
  const merchant = await service.tenant({ daily_quota: 1000 })
  const wallet = await openWallet(service.ctx, service.address)
  const ends = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const created = (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
      const delay_ms = index % 40
      const cancel = new Promise((resolve) => setTimeout(resolve, delay_ms)).then(() =>
        merchant.post(`/v1/verifications/${created.id}/cancel`),
      )
      const [responded, cancelled] = await Promise.all([
        wallet.respond(created.wallet_uri).then((each) => (each.sent ? each.http_status : 0)),
        cancel,
      ])
      const { status } = (await merchant.get(`/v1/verifications/${created.id}`)).body
      return { status, responded, cancelled: cancelled.status }
    }),
  )
  const impossible = ends.filter(
    ({ status, responded, cancelled }) =>
      !(status === 'completed' && responded === 200 && cancelled === 409) &&
      !(status === 'expired' && responded !== 200 && cancelled === 200),
  )

  expect(impossible).toEqual([])
  expect((await merchant.get('/v1/usage')).body.verifications_created).toBe(200)
})
