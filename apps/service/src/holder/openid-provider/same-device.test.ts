import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAuditLog } from '../../../test/audit/audit.ts'
import { openCookieJar, type CookieJar } from '../../../test/openid/cookie-jar.ts'
import { registerSite, type Site } from '../../../test/openid/site.ts'
import { startService, type Service } from '../../../test/service.ts'
import { openWallet } from '../../../test/wallet.ts'
import { changeClient } from './clients/change-client.ts'
import { getClient } from './clients/list-clients.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const recognises = { templates: ['driving_licence'], subject_claim: 'document_number' }

async function start(site: Site): Promise<{ browser: CookieJar; id: string }> {
  const browser = openCookieJar(service)
  const end = await site.authorize(browser, site.request().params)
  if (!('id' in end)) throw new Error(`There is no verification: ${JSON.stringify(end)}`)
  return { browser, id: end.id }
}

const change = ({ client_id, merchant: { tenant_id } }: Site, to: object) =>
  changeClient(service.ctx, { by: { kind: 'operator', tenant_id }, client_id, change: to })
const respondToCode = async (id: string) =>
  (await openWallet(service.ctx, service.address)).respondOver('screen', id)

test('where people are recognised there is no QR code, and its request and response do not exist', async () => {
  const site = await registerSite(service, { ...recognises, cross_device: true })
  const { id, browser } = await start(site)
  let form = ''
  const wallet = await openWallet(service.ctx, service.address, { onPost: (posted) => (form = posted) })
  await wallet.respondOver('screen', id)
  await change(site, { cross_device: false })

  const verification = (await service.anonymous.get(`/verify/${id}/session`)).body
  expect(verification).toHaveProperty('wallet_uri')
  expect(verification).toMatchObject({ dc_api: true })
  expect(Object.keys(verification).filter((name) => name.includes('screen'))).toEqual([])
  const { text: page } = await service.anonymous.get(`/verify/${id}`)
  expect(page).toContain('eu-eaap://')
  expect(page).not.toContain('class="scan"')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = (path: string, raw: string) => service.anonymous.request('POST', path, { headers, raw })
  const refused = [
    await service.anonymous.get(`/wallet/request/${id}?via=screen`),
    await post(`/wallet/request/${id}?via=screen`, 'wallet_nonce=abc'),
    await post(`/wallet/response/${id}?via=screen`, form),
    await post(`/wallet/response/${id}?via=age_app_screen`, form),
  ]
  for (const { status, body } of refused)
    expect([status, body.error.code]).toEqual([404, 'session_not_found'])

  // The device of the browser is still accepted.
  expect((await site.respond(browser, id)).searchParams.get('code')).not.toBeNull()
  for (const channel of ['dc_api', 'annex_c'] as const)
    expect((await site.obtainCode({ channel })).code).not.toBe('')
})

test('a QR code that was passed on signs nobody in, whenever the client began to recognise people', async () => {
  for (const settings of [{ ...recognises, cross_device: true }, { templates: ['driving_licence'] }]) {
    const site = await registerSite(service, settings)
    const { browser, id } = await start(site)
    await respondToCode(id)
    await change(site, { subject_claim: 'document_number', cross_device: false })
    const end = await browser.comeBack(await browser.readReturnUrl(id))
    expect('returned' in end && end.returned.searchParams.get('error')).toBe('access_denied')
  }
})

test('the owner may accept other devices, for as long as people are recognised by that client', async () => {
  const site = await registerSite(service, { ...recognises, cross_device: true })
  const { id, browser } = await start(site)
  expect((await service.anonymous.get(`/verify/${id}/session`)).body).toHaveProperty('screen_uri')
  expect((await site.respond(browser, id, { channel: 'screen' })).searchParams.get('code')).not.toBeNull()
  const { tenant_id } = site.merchant
  expect(
    (await readAuditLog(service.ctx, tenant_id)).find(({ subject }) => subject === site.client_id),
  ).toMatchObject({
    action: 'openid_client.created',
    detail: { cross_device: true },
  })

  await change(site, { subject_claim: null })
  // Nobody is recognised now, so every device may answer.
  expect((await site.obtainCode({ channel: 'screen' })).code).not.toBe('')
  await change(site, { subject_claim: 'document_number' })
  expect(await getClient(service.ctx, { tenant_id, client_id: site.client_id })).toMatchObject({
    cross_device: false,
  })
})
