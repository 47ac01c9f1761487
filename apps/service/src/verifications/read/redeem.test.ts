import { afterAll, beforeAll, expect, test } from 'vitest'
import { newVerification } from '../../../test/verification.ts'
import { startService, type Service } from '../../../test/service.ts'
import { sql } from '../../engine/db/sql.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

test('[REDEEM-1] [REDEEM-2] [REDEEM-4] [WRES-2] the code in the redirect works once, whatever the outcome', async () => {
  for (const persona of ['adult', 'minor']) {
    const { merchant, id, respond, read } = await newVerification(service, {
      template: 'age_over_18',
      redirect_url: 'https://shop.example/done?x=1',
    })
    const { body } = await respond({ persona })
    expect(body.redirect_uri).toMatch(/^https:\/\/shop\.example\/done\?x=1#response_code=[\w-]{22,}$/)
    const response_code = body.redirect_uri.split('response_code=')[1]
    const redeem = (code: unknown, who = merchant) =>
      who.post(`/v1/verifications/${id}/redeem`, { response_code: code })
    const stranger = await service.tenant()

    for (const short of ['', 'a'.repeat(15), 7, undefined])
      expect((await redeem(short)).body.error.code).toBe('invalid_request')
    const wrong = await redeem('w'.repeat(32))
    const foreign = await redeem(response_code, stranger)
    expect([wrong.status, wrong.body.error.code]).toEqual([404, 'invalid_response_code'])
    expect(foreign.text).toBe(wrong.text)
    const right = await redeem(response_code)
    expect([right.status, right.body]).toEqual([200, await read()])
    expect((await redeem(response_code)).text).toBe(wrong.text)
    const stored = await service.ctx.db.query(
      sql`select 1 as found from verification_sessions where encode(response_code_hash, 'escape') = ${response_code}`,
    )
    expect(stored).toEqual([])
  }
})

test('[REDEEM-3] of 20 simultaneous redemptions exactly one succeeds', async () => {
  const { merchant, id, respond } = await newVerification(service, {
    template: 'age_over_18',
    redirect_url: 'https://shop.example/',
  })
  const response_code = (await respond()).body.redirect_uri.split('response_code=')[1]

  const responses = await Promise.all(
    Array.from({ length: 20 }, () => merchant.post(`/v1/verifications/${id}/redeem`, { response_code })),
  )

  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(new Set(responses.filter(({ status }) => status !== 200).map(({ text }) => text)).size).toBe(1)
})

test('[RET-2] a tenant that holds results back sees them only after the code is redeemed', async () => {
  const { merchant, id, respond, read } = await newVerification(service, {
    template: 'age_over_18',
    redirect_url: 'https://shop.example/',
  })
  await service.ctx.db.execute(sql`update tenants set hold_back = true where id = ${merchant.tenant_id}`)
  const response_code = (await respond()).body.redirect_uri.split('response_code=')[1]

  const before = await read()
  expect(before.status).toBe('pending')
  expect(before).not.toHaveProperty('claims')
  expect(before).not.toHaveProperty('credentials')
  const redeemed = await merchant.post(`/v1/verifications/${id}/redeem`, { response_code })
  expect(redeemed.body.claims).toEqual({ age_over_18: true })
  expect((await read()).claims).toEqual({ age_over_18: true })
})
