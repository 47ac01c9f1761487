import { languages, listLanguages, texts, type Language } from '@vidimus/holder-texts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCookieJar } from '../../../test/openid/cookie-jar.ts'
import { registerSite, type Site } from '../../../test/openid/site.ts'
import { startService, type Service } from '../../../test/service.ts'
import { openWallet } from '../../../test/wallet.ts'
import { setHolderPage } from '../../accounts/index.ts'
import { escapeHtml } from '../../engine/formats/html.ts'
import { maxRepeatedQuery_characters } from '../page/layout.ts'

let service: Service
let site: Site
beforeAll(async () => {
  service = await startService()
  site = await registerSite(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const read = (path: string, headers: Record<string, string> = {}) => service.anonymous.get(path, { headers })
const pathOf = (url: string) => url.replace(service.ctx.config.BASE_URL, '')

/** The links to other languages, by language, as a browser reads them. */
function readLinks(text: string): Record<string, string> {
  const links = text.matchAll(/<a href="([^"]*)" hreflang="(\w\w)"/g)
  return Object.fromEntries(
    Array.from(links, ([, href = '', code = '']) => [code, href.replaceAll('&amp;', '&')]),
  )
}

test('a problem is shown in the requested language, and each link leads to the same problem', async () => {
  const path = `${pathOf(site.issuer)}/authorize`
  const query = new URLSearchParams([
    ['client_id', '"><b>&'],
    ['state', 'a'],
    ['state', 'b'],
  ]).toString()
  const first = await read(`${path}?${query}`, { 'accept-language': 'fr' })
  expect(first.text).toContain('<html lang="fr">')
  const links = readLinks(first.text)
  expect(Object.keys(links)).toEqual(Object.keys(languages))
  for (const [code, href] of Object.entries(links)) {
    expect(href).toBe(`?${query}&lang=${code}`)
    const { status, text } = await read(`${path}${href}`, { 'accept-language': 'fr' })
    expect(status).toBe(400)
    expect(text).toContain(`<html lang="${code}">`)
    expect(text).toContain(escapeHtml(texts(code as Language).page.neutral_text)) // a code of this very list
    expect(readLinks(text)).toEqual(links)
  }
  const long = await read(`${path}?state=${'s'.repeat(maxRepeatedQuery_characters)}`)
  expect(readLinks(long.text)['de']).toBe('?lang=de')
  expect(long.text).toContain('<small>The URL is longer than 2048 characters.</small>')
})

test('an unknown issuer is shown in the requested language', async () => {
  const unknown = await read('/oidc/aunknown/authorize?client_id=x&lang=de')
  expect([unknown.status, readLinks(unknown.text)['sv']]).toEqual([404, '?client_id=x&lang=sv'])
  expect(unknown.text).toContain('<html lang="de">')
})

test('the page that a wallet leads back to has each language, with what to say to the tab that stayed open', async () => {
  const browser = openCookieJar(service)
  const end = await site.authorize(browser, site.request().params)
  if (!('id' in end)) throw new Error('There is no verification.')
  const responded = await (await openWallet(service.ctx, service.address)).respondOver('redirect', end.id)
  expect(responded).toMatchObject({ sent: true })
  const url = await browser.readReturnUrl(end.id)
  for (const code of Object.keys(languages) as Language[]) {
    const shown = await browser.open(`${url}?lang=${code}`)
    const { page } = texts(code)
    expect(shown).toMatchObject({ status: 200, page: expect.stringContaining(`<html lang="${code}">`) })
    for (const text of [page.other_tab_title, page.other_tab_text])
      expect(shown).toMatchObject({ page: expect.stringContaining(escapeHtml(text)) })
  }
})

test('[LANG-1] a site of a tenant without machine translations gets no page in one', async () => {
  const plain = await registerSite(service)
  const by = { kind: 'operator', tenant_id: plain.merchant.tenant_id } as const
  await setHolderPage(service.ctx, { by, edited_languages_only: true })
  const edited = listLanguages({ edited_only: true })
  const { body } = await read(`${pathOf(plain.issuer)}/.well-known/openid-configuration`)
  expect(body.ui_locales_supported).toEqual(edited)
  const { text, headers } = await read(`${pathOf(plain.issuer)}/authorize?lang=nl`, {
    'accept-language': 'sv, de',
  })
  expect([text.includes('<html lang="de">'), headers.get('content-language')]).toEqual([true, 'de'])
  expect(Object.keys(readLinks(text))).toEqual(edited)
})
