import { hash } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import type { Caller } from '../../../test/caller.ts'
import { deliverMessages, expectedSignature } from '../../../test/alerts.ts'
import { readAuditLog } from '../../../test/audit/audit.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { reply, startReceiver } from '../../../test/network/receiver.ts'
import { respondUntilAccepted } from '../../../test/respond-until-accepted.ts'
import { startService, type Merchant } from '../../../test/service.ts'
import { erasureAddress, setBrand, setHolderPage } from '../../accounts/tenants/holder-page.ts'
import { flushAudit } from '../../audit/advance.ts'
import { dropOldDays } from '../../verifications/retention/expire.ts'
import { replyStep_ms } from './ask-for-erasure.ts'
import { addBrowserProof, hasBrowserProof, maxBrowserProofs, writeErasureCode } from './erasure-code.ts'

const service = await startService({ environment: { WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8' } })
const { ctx, anonymous } = service
afterAll(() => service[Symbol.asyncDispose]())

type Mode = 'off' | 'ask_merchant' | 'automatic'

async function newMerchant(holder_erasure: Mode): Promise<Merchant> {
  const merchant = await service.tenant()
  await setMode(merchant, holder_erasure)
  return merchant
}

const setMode = ({ tenant_id }: Merchant, holder_erasure: Mode) =>
  setHolderPage(ctx, { by: { kind: 'operator', tenant_id }, holder_erasure })

/** A verification as its holder's browser went through it, with what the browser then has. */
async function verify(merchant: Merchant, persona: 'adult' | 'minor' = 'adult') {
  const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  const opened = await anonymous.get(`/verify/${body.id}`)
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
  await respondUntilAccepted(service, body.wallet_uri, { persona })
  return { id: body.id as string, cookie }
}

const showCard = (id: string, cookie: string, query = '') =>
  anonymous.get(`/verify/${id}/card${query}`, { headers: { cookie } })

const codeOn = (text: string) => /ve_[\w-]+/.exec(text)?.[0] ?? ''

const pathOf = ({ tenant_id }: Merchant) => new URL(erasureAddress(ctx, { tenant_id })).pathname

/** As the form of the page sends it. */
const postForm = (by: Caller, path: string, fields: Record<string, string>) =>
  by.request('POST', path, {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

async function ask(merchant: Merchant, code: string) {
  const page = await postForm(anonymous, pathOf(merchant), { code })
  return { ...page, reference: /er_[\w-]{22}/.exec(page.text)?.[0] ?? '' }
}

test('[HOLDER-1] a holder keeps the card of a verification and has it erased with its code', async () => {
  const merchant = await newMerchant('automatic')
  const other = await verify(merchant)
  const { id, cookie } = await verify(merchant)
  const card = await showCard(id, cookie, '?lang=de')
  expect(card.status).toBe(200)
  expect(card.text).toContain('Was geteilt wurde')
  const code = codeOn(card.text)
  expect(code).toBe(await writeErasureCode(ctx.keyring, { tenant_id: merchant.tenant_id, id }))

  const page = await anonymous.get(`${pathOf(merchant)}?code=${code}`)
  expect(page.text).toContain(`value="${code}"`)
  const { status, reference } = await ask(merchant, code)
  expect([status, reference]).toEqual([200, expect.stringMatching(/^er_/)])
  expect((await merchant.get(`/v1/verifications/${id}`)).status).toBe(404)
  expect((await merchant.get(`/v1/verifications/${other.id}`)).status).toBe(200)
  expect((await showCard(id, cookie)).status).toBe(404)

  await flushAudit(ctx, merchant.tenant_id)
  const erased = (await readAuditLog(ctx, merchant.tenant_id)).filter(
    ({ action }) => action === 'verification.erased',
  )
  expect(erased).toMatchObject([
    { actor: 'holder', detail: { holder_reference: hash('sha256', reference, 'hex') } },
  ])
})

test('[HOLDER-3] only the browser that went through a verification gets its code; everybody else gets the card without it', async () => {
  const merchant = await newMerchant('automatic')
  const [one, another] = [await verify(merchant), await verify(merchant)]
  expect(codeOn((await showCard(one.id, one.cookie)).text)).not.toBe('')
  for (const cookie of ['', another.cookie, 'vidimus_holder=AAAA']) {
    const { status, text } = await showCard(one.id, cookie)
    expect([status, codeOn(text)]).toEqual([200, ''])
  }
  // Opened only afterwards, as by the merchant, whose API and webhooks never have it either.
  const late = await anonymous.get(`/verify/${one.id}`)
  expect(late.headers.get('set-cookie')).toBeNull()
  const session = await anonymous.get(`/verify/${one.id}/session`)
  expect(session.body.card).toBe(true)
  const seen = [late.text, session.text, (await merchant.get(`/v1/verifications/${one.id}`)).text]
  expect(seen.map(codeOn)).toEqual(['', '', ''])
})

test('a browser keeps the proofs of its last pages', () => {
  const proofs = Array.from({ length: maxBrowserProofs + 1 }, (_, index) => String(index).repeat(22))
  const kept = proofs.reduce<string | undefined>(addBrowserProof, undefined)
  expect(proofs.map((proof) => hasBrowserProof(kept, proof))).toEqual([
    false,
    ...Array.from({ length: maxBrowserProofs }, () => true),
  ])
  expect(addBrowserProof(kept, proofs[4] ?? '')).toHaveLength(maxBrowserProofs * 22)
})

test('the card that is saved needs no network and names nothing that the documents say', async () => {
  const merchant = await newMerchant('ask_merchant')
  const { tenant_id } = merchant
  await setBrand(ctx, {
    by: { kind: 'operator', tenant_id },
    brand: { display_name: 'Wein & Co <b>', privacy_url: 'https://shop.example/privacy' },
  })
  const { id, cookie } = await verify(merchant)
  const { headers, text } = await showCard(id, cookie, '?lang=fr&save=1')
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="vidimus-\d{4}-\d\d-\d\d\.html"$/)
  expect(text).toContain('Wein &amp; Co &lt;b&gt;')
  expect(text).not.toMatch(/<script|<link|src=/)
  expect(codeOn(text)).not.toBe('')
})

test('there is no card before the end, without the setting, and for an unknown address', async () => {
  const merchant = await newMerchant('off')
  const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  expect((await anonymous.get(`/verify/${body.id}`)).headers.get('set-cookie')).toBeNull()
  const off = await verify(merchant)
  await setMode(merchant, 'automatic')
  for (const path of [
    `/verify/${body.id}/card`,
    '/verify/vs_x/card',
    '/erase/x',
    `/erase/a${crypto.randomUUID()}`,
  ])
    expect((await anonymous.get(path)).status).toBe(404)
  expect(codeOn((await showCard(off.id, off.cookie)).text)).toBe('')
})

test('a verification that failed has a card too: something was shared', async () => {
  const merchant = await newMerchant('automatic')
  const { id, cookie } = await verify(merchant, 'minor')
  const code = codeOn((await showCard(id, cookie)).text)
  await ask(merchant, code)
  expect((await merchant.get(`/v1/verifications/${id}`)).status).toBe(404)
})

test('[HOLDER-2] right, wrong, used and unwanted codes get the same answer after the same time', async () => {
  const merchant = await newMerchant('automatic')
  const stranger = await newMerchant('automatic')
  const [used, kept, open] = [await verify(merchant), await verify(merchant), await verify(stranger)]
  const codes = await Promise.all(
    [used, kept].map(({ id, cookie }) => showCard(id, cookie).then(({ text }) => codeOn(text))),
  )
  const [first = '', second = ''] = codes
  const foreign = codeOn((await showCard(open.id, open.cookie)).text)
  const altered = `${first.slice(0, -3)}${first.at(-3) === 'A' ? 'B' : 'A'}${first.slice(-2)}`
  const asked: [string, Mode][] = [
    [altered, 'automatic'],
    [`ve_${used.id.slice(3)}`, 'automatic'],
    [used.id, 'automatic'],
    ['', 'automatic'],
    ['x'.repeat(5000), 'automatic'],
    [foreign, 'automatic'],
    [second, 'off'],
    [first, 'automatic'],
    [first, 'automatic'],
    [second, 'ask_merchant'],
    [second, 'ask_merchant'],
  ]
  const bodies = new Set<string>()
  for (const [code, mode] of asked) {
    await setMode(merchant, mode)
    const started = performance.now()
    const { status, text, reference, headers } = await ask(merchant, code)
    const spent_ms = performance.now() - started
    expect(spent_ms).toBeGreaterThan(replyStep_ms - 20)
    const shown = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
    bodies.add(JSON.stringify([status, shown, text.replace(reference, 'er_')]))
  }
  expect(bodies.size).toBe(1)
  expect((await merchant.get(`/v1/verifications/${used.id}`)).status).toBe(404)
  expect((await merchant.get(`/v1/verifications/${kept.id}`)).status).toBe(200)
  expect((await stranger.get(`/v1/verifications/${open.id}`)).status).toBe(200)
})

test('[HOLDER-4] [HOLDER-5] a merchant that decides learns of a request by event, lists it, and refuses or erases', async () => {
  await using receiver = await startReceiver(reply(204))
  const merchant = await newMerchant('ask_merchant')
  const { body: endpoint } = await merchant.post('/v1/webhook_endpoints', {
    url: receiver.url,
    events: ['erasure.requested', 'erasure.executed'],
  })
  const [agreed, refused] = [await verify(merchant), await verify(merchant)]
  for (const { id, cookie } of [agreed, refused]) {
    const code = codeOn((await showCard(id, cookie)).text)
    await ask(merchant, code)
    await ask(merchant, code)
  }
  const list = async (query = '') => (await merchant.get(`/v1/erasure_requests${query}`)).body.data
  const waiting = await list()
  expect(waiting.map((each: { verification_id: string }) => each.verification_id)).toEqual([
    agreed.id,
    refused.id,
  ])
  const { requested_at, due_at } = waiting[0]
  expect(Math.round((Date.parse(due_at) - Date.parse(requested_at)) / 86_400_000)).toBeGreaterThan(27)

  for (const attempt of [1, 2])
    expect([attempt, (await merchant.post(`/v1/erasure_requests/${refused.id}/refuse`)).status]).toEqual([
      attempt,
      200,
    ])
  await merchant.delete(`/v1/verifications/${agreed.id}`)
  expect(await list()).toEqual([])
  expect(await list('?state=refused')).toMatchObject([
    { verification_id: refused.id, refused_at: expect.any(String) },
  ])
  // Asking again brings no second request.
  await ask(merchant, codeOn((await showCard(refused.id, refused.cookie)).text))
  expect(await list()).toEqual([])

  await deliverMessages(ctx)
  const sent = receiver.received.map(({ headers, body }) => {
    const header = headers['x-service-signature'] ?? ''
    expect(header).toBe(expectedSignature(header, body, endpoint.secret))
    return JSON.parse(body)
  })
  expect(sent.map(({ type, erasure }) => `${type} ${erasure.verification_id}`).toSorted()).toEqual(
    [
      `erasure.requested ${agreed.id}`,
      `erasure.requested ${refused.id}`,
      `erasure.executed ${agreed.id}`,
    ].toSorted(),
  )
  expect(receiver.received.map(({ body }) => body).join()).not.toContain('age_over')
})

test('requests are another tenant’s and another environment’s never', async () => {
  const merchant = await newMerchant('ask_merchant')
  const stranger = await newMerchant('ask_merchant')
  const live = await merchant.as({ environment: 'live' })
  const { id, cookie } = await verify(merchant)
  await ask(merchant, codeOn((await showCard(id, cookie)).text))
  for (const other of [stranger, live]) {
    expect((await other.get('/v1/erasure_requests')).body.data).toEqual([])
    expect((await other.post(`/v1/erasure_requests/${id}/refuse`)).status).toBe(404)
  }
  expect((await merchant.get('/v1/erasure_requests')).body.data).toHaveLength(1)
})

test('pages of requests follow each other', async () => {
  const merchant = await newMerchant('ask_merchant')
  const ids: string[] = []
  for (let count = 0; count < 3; count += 1) {
    const { id, cookie } = await verify(merchant)
    await ask(merchant, codeOn((await showCard(id, cookie)).text))
    ids.push(id)
  }
  const first = (await merchant.get('/v1/erasure_requests?limit=2')).body
  expect(first.next_after).toBe(ids[1])
  const second = (await merchant.get(`/v1/erasure_requests?limit=2&after=${first.next_after}`)).body
  expect(second).toMatchObject({ data: [{ verification_id: ids[2] }] })
  expect(second).not.toHaveProperty('next_after')
})

test('addresses and merchants have limits, beyond which nothing is done', async () => {
  await using limited = await startService({
    environment: { RATE_LIMITS: 'key=1000/60,ip=1000/60,session=1000/60' },
  })
  const merchant = await limited.tenant()
  const path = new URL(erasureAddress(limited.ctx, merchant)).pathname
  const replies = await Promise.all(
    Array.from({ length: 12 }, () => postForm(limited.anonymous, path, { code: 've_x' })),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(10)
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(2)
})

test('[HOLDER-5] a request ends with its verification, also when the day of that is over', async () => {
  await using late = await startService({ environment: { VERIFICATION_RETENTION_DAYS: '30' } })
  const merchant = await late.tenant()
  await setHolderPage(late.ctx, {
    by: { kind: 'operator', tenant_id: merchant.tenant_id },
    holder_erasure: 'ask_merchant',
  })
  const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  const code = await writeErasureCode(late.ctx.keyring, { tenant_id: merchant.tenant_id, id: body.id })
  await postForm(late.anonymous, new URL(erasureAddress(late.ctx, merchant)).pathname, { code })
  expect((await merchant.get('/v1/erasure_requests')).body.data).toHaveLength(1)
  await setClockOffset(late.ctx.db, '40 days')
  await dropOldDays(late.ctx)
  expect((await merchant.get('/v1/erasure_requests')).body.data).toEqual([])
})
