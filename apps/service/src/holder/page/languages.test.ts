import { type Language, listLanguages, texts } from '@vidimus/holder-texts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { respondUntilAccepted } from '../../../test/respond-until-accepted.ts'
import { startService, type Service } from '../../../test/service.ts'
import { setBrand, setHolderPage } from '../../accounts/index.ts'
import { escapeHtml } from '../../engine/formats/index.ts'

const all = listLanguages()
const edited = listLanguages({ edited_only: true })
const translated = all.filter((code) => !edited.includes(code))

let service: Service
/** Verifications of a merchant: one that is open, and one that a wallet has responded to. */
let everyLanguage: string[]
let editedOnly: string[]
beforeAll(async () => {
  service = await startService()
  everyLanguage = await createVerifications(false)
  editedOnly = await createVerifications(true)
})
afterAll(() => service[Symbol.asyncDispose]())

async function createVerifications(edited_languages_only: boolean): Promise<string[]> {
  const shop = await service.tenant()
  const by = { kind: 'operator', tenant_id: shop.tenant_id } as const
  const brand = { display_name: 'Q7', privacy_url: 'https://shop.example/p', kept_days: 90 }
  await setBrand(service.ctx, { by, brand })
  await setHolderPage(service.ctx, { by, edited_languages_only, age_app: true })
  const create = async (template: string) =>
    (await shop.post('/v1/verifications', { template, alternative_url: 'https://shop.example/a' })).body
  const [open, identity, responded] = [
    await create('age_over_18'),
    await create('pid_full'),
    await create('driving_licence'),
  ]
  await respondUntilAccepted(service, responded.wallet_uri)
  return [open.id, identity.id, responded.id]
}

const read = (path: string, acceptLanguage: string) =>
  service.anonymous.get(path, { headers: { 'accept-language': acceptLanguage } })

/** The parts of all texts of a language between their placeholders, where they are long enough to belong to one language. */
function listParts(language: Language): string[] {
  const { days: _, ...groups } = texts(language)
  return Object.values(groups)
    .flatMap((group) => Object.values(group))
    .flatMap((text) => text.split(/\{\w+\}/))
    .map((part) => part.trim())
    .filter((part) => part.length >= 12)
}
const parts = new Map(all.map((language) => [language, listParts(language)]))

/** What a response contains of the texts of other languages. */
function findForeign(text: string, language: Language): string[] {
  const own = (parts.get(language) ?? []).join('\n')
  return all
    .filter((code) => code !== language)
    .flatMap((code) => parts.get(code) ?? [])
    .filter((part) => !own.includes(part) && (text.includes(part) || text.includes(escapeHtml(part))))
}

/** Reads everything that a holder gets in a language, and expects it to be in another one, as a whole. Returns how many pages it read. */
async function checkLanguage(ids: string[], asked: Language, language: Language): Promise<number> {
  for (const id of ids) {
    const { text, headers } = await read(`/verify/${id}?lang=${asked}`, asked)
    expect(text).toContain(`<html lang="${language}">`)
    expect(text).toContain(`lang="${language}" redirect="auto"`)
    expect(headers.get('content-language')).toBe(language)
    expect([asked, findForeign(text, language)]).toEqual([asked, []])
    const own = (parts.get(language) ?? []).filter((part) => text.includes(escapeHtml(part)))
    expect(own.length).toBeGreaterThan(20)

    const session = await read(`/verify/${id}/session?lang=${asked}`, asked)
    expect(session.body.lang).toBe(language)
    expect([asked, findForeign(session.text, language)]).toEqual([asked, []])
    const names = new Intl.DisplayNames([language], { type: 'region' })
    for (const { code, name } of session.body.countries ?? []) expect(name).toBe(names.of(code))
  }
  return ids.length
}

test.each(all)('[LANG-2] page and verification in %s have no text of another language', async (language) => {
  expect(await checkLanguage(everyLanguage, language, language)).toBe(3)
})

test.each(translated)(
  '[LANG-1] a merchant without machine translations answers %s in English',
  async (asked) => {
    expect(await checkLanguage(editedOnly, asked, 'en')).toBe(3)
  },
)

test.each(edited)('[LANG-1] a merchant without machine translations keeps %s', async (language) => {
  expect(await checkLanguage(editedOnly, language, language)).toBe(3)
})

test('[LANG-1] without machine translations the page links to edited languages only, and takes the next preferred one', async () => {
  const [id = ''] = editedOnly
  const { text, headers } = await read(`/verify/${id}?lang=nl`, 'sv, fr;q=0.4')
  expect([text.includes('<html lang="fr">'), headers.get('content-language')]).toEqual([true, 'fr'])
  const links = [...text.matchAll(/<a href="\?lang=(\w\w)"/g)].map(([, code]) => code)
  expect(links).toEqual(edited)
  expect((await read(`/verify/${id}/session`, 'sv, fr;q=0.4')).body.lang).toBe('fr')
})

test('the setting applies at once, also to open verifications', async () => {
  const shop = await service.tenant()
  const by = { kind: 'operator', tenant_id: shop.tenant_id } as const
  const { id } = (await shop.post('/v1/verifications', { template: 'age_over_18' })).body
  const readLanguage = async () => (await read(`/verify/${id}`, 'nl')).headers.get('content-language')
  expect(await readLanguage()).toBe('nl')
  await setHolderPage(service.ctx, { by, edited_languages_only: true })
  expect(await readLanguage()).toBe('en')
  await setHolderPage(service.ctx, { by, edited_languages_only: false })
  expect(await readLanguage()).toBe('nl')
})
