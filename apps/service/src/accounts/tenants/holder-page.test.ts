import { randomUUID } from 'node:crypto'
import { maxPageOrigins } from '@vidimus/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAuditLog } from '../../../test/audit/audit.ts'
import { startService, type Service } from '../../../test/service.ts'
import { signIn } from '../../../test/sign-in/browser.ts'
import { getHolderPage, setHolderPage } from './holder-page.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const action = 'tenant.holder_page_changed'
/** Of 32 bytes. */
const hash = '_-MzYWxyEJ9kp1pBYIDQzMzTTA0RfxBn5nN7ZKs9SXw'

test('a member changes origins, links, the age app, the moving code and the languages, each alone, and every change is audited', async () => {
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const page_origins = [
    'https://shop.example',
    'https://shop.example:8443',
    'http://localhost:3000',
    `android:apk-key-hash:${hash}`,
  ]
  const wallet_links = ['eu-eaap', 'openid4vp', 'haip-vp']
  const settings = {
    page_origins: [],
    wallet_links,
    age_app: false,
    moving_code: false,
    edited_languages_only: false,
    holder_erasure: 'off',
    erasure_template: null,
  }
  expect((await owner.call('getSettings')).body.holder_page).toEqual(settings)

  const set = await owner.call('changeHolderPage', { body: { page_origins } })
  expect(set.body.holder_page).toEqual({ ...settings, page_origins })
  const allowed = await owner.call('changeHolderPage', { body: { age_app: true } })
  expect(allowed.body.holder_page).toEqual({ ...settings, page_origins, age_app: true })
  const removed = await owner.call('changeHolderPage', { body: { page_origins: [] } })
  expect(removed.body.holder_page).toEqual({ ...settings, age_app: true })
  const links = { wallet_links: ['https://wallet.example/open', 'openid4vp'] }
  const linked = await owner.call('changeHolderPage', { body: links })
  expect(linked.body.holder_page).toEqual({ ...settings, ...links, age_app: true })
  const moving = await owner.call('changeHolderPage', { body: { moving_code: true } })
  expect(moving.body.holder_page).toEqual({ ...settings, ...links, age_app: true, moving_code: true })
  const edited = await owner.call('changeHolderPage', { body: { edited_languages_only: true } })
  expect(edited.body.holder_page).toEqual({ ...moving.body.holder_page, edited_languages_only: true })

  const { member } = (await owner.call('getMe')).body
  const entries = await readAuditLog(service.ctx, merchant.tenant_id)
  expect(entries.filter((entry) => entry.action === action)).toMatchObject([
    { actor: `member:${member.id}`, detail: { page_origins } },
    { actor: `member:${member.id}`, detail: { age_app: true } },
    { actor: `member:${member.id}`, detail: { page_origins: [] } },
    { actor: `member:${member.id}`, detail: links },
    { actor: `member:${member.id}`, detail: { moving_code: true } },
    { actor: `member:${member.id}`, detail: { edited_languages_only: true } },
  ])
})

test.each([
  'https://shop.example/',
  'https://shop.example/checkout',
  'https://shop.example:443',
  'https://SHOP.example',
  'https://user@shop.example',
  'https://müller.example',
  'https://*.shop.example',
  'http://shop.example',
  'http://localhost.shop.example',
  'http://127.0.0.1:3000',
  'http://localhost:80',
  'http://localhost:99999',
  'https://',
  'null',
  '*',
  '',
  ' https://shop.example',
  `https://${'a'.repeat(300)}.example`,
  'ftp://shop.example',
  'javascript:alert(1)',
  'data:text/html,',
  'android:apk-key-hash:',
  `android:apk-key-hash:${hash}=`,
  `android:apk-key-hash:${hash.slice(1)}`,
  `android:apk-key-hash:${hash}A`,
  `android:apk-key-hash:${hash.slice(0, -1)}x`,
  `android:apk-key-hash:${hash.replace('-', '+')}`,
  `android:apk-key-hash:${'0a'.repeat(32)}`,
  `ANDROID:apk-key-hash:${hash}`,
  `android:apk-key-hash:${hash}/`,
  `android:apk-key-hash-sha512:${hash}`,
  'ios:bundle-id:example.shop',
])('%j is refused, because neither a browser nor Android reports such an origin', async (origin) => {
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const { status, body } = await owner.call('changeHolderPage', { body: { page_origins: [origin] } })
  expect([status, body.error.code]).toEqual([400, 'invalid_request'])
  expect(body.error.message).toContain('page_origins[0]')
  expect((await getHolderPage(service.ctx, merchant.tenant_id)).page_origins).toEqual([])
})

test.each([[[]], [['javascript']], [['openid4vp', 'openid4vp']], [['http://wallet.example/']]])(
  'links %j are refused',
  async (wallet_links) => {
    const merchant = await service.tenant()
    const owner = await signIn(service, merchant)
    const { status, body } = await owner.call('changeHolderPage', { body: { wallet_links } })
    expect([status, body.error.code]).toEqual([400, 'invalid_request'])
    expect((await getHolderPage(service.ctx, merchant.tenant_id)).wallet_links).toHaveLength(3)
  },
)

test('ten origins are allowed and eleven are not; nor is one origin twice', async () => {
  const owner = await signIn(service, await service.tenant())
  const origins = Array.from({ length: maxPageOrigins + 1 }, (_, index) => `https://shop-${index}.example`)
  const change = async (page_origins: string[]) =>
    (await owner.call('changeHolderPage', { body: { page_origins } })).status
  expect(await change(origins)).toBe(400)
  expect(await change(['https://shop.example', 'https://shop.example'])).toBe(400)
  expect(await change(origins.slice(1))).toBe(200)
})

test.each([
  ['admin', 200],
  ['developer', 403],
  ['support', 403],
  ['auditor', 403],
] as const)('the role %s gets %i', async (role, status) => {
  const merchant = await service.tenant()
  const as = await signIn(service, { tenant_id: merchant.tenant_id, role })
  expect((await as.call('changeHolderPage', { body: { age_app: true } })).status).toBe(status)
  expect((await getHolderPage(service.ctx, merchant.tenant_id)).age_app).toBe(status === 200)
})

test('a tenant that does not exist is refused', async () => {
  const by = { kind: 'operator', tenant_id: randomUUID() } as const
  await expect(setHolderPage(service.ctx, { by, age_app: true })).rejects.toThrow(/There is no tenant/)
})
