import { hash } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import type { Caller } from '../../../test/caller.ts'
import { readAuditLog } from '../../../test/audit/audit.ts'
import { findTables } from '../../../test/database/find-text.ts'
import { activateKey } from '../../../test/sealing.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { signIn } from '../../../test/sign-in/browser.ts'
import { joinPem } from '../../../test/trust/authorities.ts'
import { newState, type State } from '../../../test/trust/state.ts'
import { openWallet, type WalletOptions } from '../../../test/wallet.ts'
import { erasureAddress, setHolderPage } from '../../accounts/tenants/holder-page.ts'
import { flushAudit } from '../../audit/advance.ts'
import { sql } from '../../engine/db/sql.ts'
import { newVerificationId } from '../../engine/basics/ids.ts'
import { putTemplate } from '../../templates/put-template.ts'
import { addTenantAnchors } from '../../trust/tenant/change-anchors.ts'
import { maxCompared } from '../../verifications/erasure-requests/erase-matches.ts'
import { comparedRows } from '../../verifications/erasure-requests/store.ts'

const service = await startService()
const { ctx, anonymous } = service
afterAll(() => service[Symbol.asyncDispose]())

const state = newState('EE')
const number = 'personal_administrative_number'
const namespace = 'eu.europa.ec.eudi.pid.1'

/** Asks for names, birth date and the number. */
const person = {
  name: 'Person',
  description: 'Who someone is',
  query: {
    credentials: [
      {
        id: 'sd_jwt',
        format: 'dc+sd-jwt',
        meta: { vct_values: ['urn:eudi:pid:1'] },
        claims: ['given_name', 'family_name', 'birthdate', number].map((name) => ({ path: [name] })),
      },
      {
        id: 'mdoc',
        format: 'mso_mdoc',
        meta: { doctype_value: namespace },
        claims: ['given_name', 'family_name', 'birth_date', number].map((name) => ({
          path: [namespace, name],
        })),
      },
    ],
    credential_sets: [{ options: [['sd_jwt'], ['mdoc']] }],
  },
}

type Person = { family_name: string; given_name?: string; born?: string; number?: string }
type Mode = 'off' | 'ask_merchant' | 'automatic'
type Live = { merchant: Merchant; path: string }

const operator = ({ tenant_id }: Merchant) => ({ kind: 'operator', tenant_id }) as const

async function newMerchant(holder_erasure: Mode, { on = service }: { on?: Service } = {}): Promise<Live> {
  const merchant = await on.tenant({ environment: 'live' })
  const by = operator(merchant)
  await putTemplate(on.ctx, { key: 'person', template: person, by })
  for (const environment of ['live', 'test'] as const)
    await addTenantAnchors(on.ctx, { by, environment, pem: joinPem(state.authority.certificate) })
  await setHolderPage(on.ctx, { by, holder_erasure, erasure_template: 'person' })
  return { merchant, path: new URL(erasureAddress(on.ctx, merchant)).pathname }
}

type Documents = { format?: 'dc+sd-jwt' | 'mso_mdoc'; issuer?: State }

/** A wallet with the PID of a person. */
function walletOf(who: Person, { format = 'dc+sd-jwt', issuer = state }: Documents = {}): WalletOptions {
  const { family_name, given_name = 'Mari', born = '1984-02-29', number: id = '48402290014' } = who
  const issued = issuer.issueTo(id)
  return {
    format,
    documents: ['pid'],
    alterations: {
      ...issued,
      credential: (given, context) => {
        const named = issued.credential?.(given, context) ?? given
        const names = { family_name, given_name }
        if (named.format === 'dc+sd-jwt')
          return { ...named, claims: { ...named.claims, ...names, birthdate: born } }
        const elements = { ...named.claims[namespace], ...names }
        return { ...named, claims: { ...named.claims, [namespace]: elements } }
      },
    },
  }
}

const post = (
  by: Caller,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) =>
  by.request('POST', path, {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

const today = (days = 0) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** A result that a merchant has of a person. */
async function verify(merchant: Caller, who: Person, body: object = { template: 'person' }) {
  const { id } = (await merchant.post('/v1/verifications', body)).body
  const wallet = await openWallet(ctx, service.address, walletOf(who))
  expect(await wallet.respondOver('redirect', id)).toMatchObject({ http_status: 200 })
  const read = async () => (await merchant.get(`/v1/verifications/${id}`)).body
  expect(await read()).toMatchObject({ status: 'completed' })
  return {
    id: id as string,
    exists: async () => (await merchant.get(`/v1/verifications/${id}`)).status === 200,
  }
}

/** What a holder does who has no code. */
async function presentAgain({ path }: Live, who: WalletOptions, { day = today(), on = service } = {}) {
  const started = await post(on.anonymous, path, { day })
  expect(started.status).toBe(303)
  const location = started.headers.get('location') ?? ''
  const id = location.slice('/verify/'.length)
  const opened = await on.anonymous.get(location)
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
  const wallet = await openWallet(on.ctx, on.address, who)
  const respond = async () => wallet.respondOver('redirect', id)
  return { id, opened, cookie, responded: await respond(), respond }
}

const queued = async (merchant: Merchant) =>
  (await merchant.get('/v1/erasure_requests')).body.data.map(
    (each: { verification_id: string }) => each.verification_id,
  )

test('[HOLDER-6] a holder without the code presents again, and the results with the same number are erased at once', async () => {
  const live = await newMerchant('automatic')
  const { merchant } = live
  const who = { family_name: 'Tamm-Lõhmus' }
  const own = [await verify(merchant, who), await verify(merchant, { family_name: 'TAMM LOHMUS' })]
  const others = [
    await verify(merchant, { ...who, number: '38001010014' }),
    await verify(merchant, { ...who, given_name: 'Maris' }),
    await verify(merchant, { ...who, born: '1984-02-28' }),
    await verify(merchant, { family_name: 'Kask' }),
  ]
  const { id, cookie, opened } = await presentAgain(live, walletOf(who))
  expect(await Promise.all(own.map((each) => each.exists()))).toEqual([false, false])
  expect(await Promise.all(others.map((each) => each.exists()))).toEqual([true, true, true, true])
  expect(await queued(merchant)).toEqual([])

  expect(opened.text).toContain('and are not stored')
  const ended = await anonymous.get(`/verify/${id}`)
  expect(ended.text).toContain('Your request was received')
  expect(ended.text).not.toContain('has what it asked for')
  const card = await anonymous.get(`/verify/${id}/card`, { headers: { cookie } })
  const reference = /er_[\w-]{22}/.exec(card.text)?.[0] ?? ''
  expect(card.text).not.toMatch(/ve_[\w-]+/)
  expect((await anonymous.get(`/verify/${id}/card`)).text).not.toContain('er_')
  await flushAudit(ctx, merchant.tenant_id)
  const entries = await readAuditLog(ctx, merchant.tenant_id)
  const holder_reference = hash('sha256', reference, 'hex')
  expect(entries.filter(({ action }) => action === 'verification.erased')).toMatchObject([
    { actor: 'holder', detail: { holder_reference } },
    { actor: 'holder', detail: { holder_reference } },
  ])
  expect(entries.filter(({ subject }) => subject === id)).toMatchObject([
    { action: 'verification.created', actor: 'holder', purpose: 'Have your data deleted' },
    {
      action: 'erasure.compared',
      actor: 'holder',
      detail: { day: today(), compared: 6, matched: 2, complete: true },
    },
    { action: 'verification.completed', actor: 'wallet' },
  ])
})

test('[HOLDER-6] who has only names and birth date in common may be a namesake, so the merchant decides', async () => {
  const live = await newMerchant('automatic')
  const { merchant } = live
  const namesake = await verify(merchant, { family_name: 'Saar' }, { template: 'identity_basic' })
  const other = await verify(
    merchant,
    { family_name: 'Saar', born: '1990-01-01' },
    { template: 'identity_basic' },
  )
  const ageOnly = await verify(merchant, { family_name: 'Saar' }, { template: 'age_over_18' })
  await presentAgain(live, walletOf({ family_name: 'Saar' }))
  expect(await queued(merchant)).toEqual([namesake.id])
  for (const each of [namesake, other, ageOnly]) expect(await each.exists()).toBe(true)
})

test('[HOLDER-6] a merchant that decides is asked also where the number agrees', async () => {
  const live = await newMerchant('ask_merchant')
  const result = await verify(live.merchant, { family_name: 'Mets' })
  await presentAgain(live, walletOf({ family_name: 'Mets' }))
  expect([await queued(live.merchant), await result.exists()]).toEqual([[result.id], true])
})

test('[HOLDER-6] results of another tenant and of the test environment stay', async () => {
  const [live, stranger] = [await newMerchant('automatic'), await newMerchant('automatic')]
  const tests = await live.merchant.as({ environment: 'test' })
  const who = { family_name: 'Rebane' }
  const kept = [await verify(stranger.merchant, who), await verify(tests, who)]
  const own = await verify(live.merchant, who)
  await presentAgain(live, walletOf(who))
  expect(await own.exists()).toBe(false)
  for (const each of kept) expect(await each.exists()).toBe(true)
  const entries = await readAuditLog(ctx, live.merchant.tenant_id)
  expect(entries.filter(({ action }) => action === 'erasure.compared')).toMatchObject([
    { detail: { compared: 1, matched: 1 } },
  ])
})

test('[HOLDER-6] results of the day before and after are compared, and of no other day', async () => {
  const live = await newMerchant('automatic')
  const who = { family_name: 'Hunt' }
  const result = await verify(live.merchant, who)
  for (const days of [2, -2]) await presentAgain(live, walletOf(who), { day: today(days) })
  expect(await result.exists()).toBe(true)
  await presentAgain(live, walletOf(who), { day: today(1) })
  expect(await result.exists()).toBe(false)
  const again = await verify(live.merchant, who)
  await presentAgain(live, walletOf(who), { day: today(-1) })
  expect(await again.exists()).toBe(false)
})

test.each(['dc+sd-jwt', 'mso_mdoc'] as const)(
  '[HOLDER-6] nothing of what was presented as %s is stored, and the merchant reads no claim of it',
  async (format) => {
    const live = await newMerchant('automatic')
    const family_name = `Unikaalne${format.length}`
    const { id } = await presentAgain(
      live,
      walletOf({ family_name, number: `777${format.length}888` }, { format }),
    )
    const { body } = await live.merchant.get(`/v1/verifications/${id}`)
    expect(body).toMatchObject({ id, status: 'completed', purpose: 'Have your data deleted' })
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['claims']))
    expect(body).not.toHaveProperty('credentials')
    expect(await findTables(ctx.db, family_name, `777${format.length}888`)).toEqual([])
    const results = await ctx.db.query(sql`select 1 from verification_results where verification_id = ${id}`)
    expect(results).toEqual([])
  },
)

test('what fails is neither compared nor kept', async () => {
  const live = await newMerchant('automatic')
  const result = await verify(live.merchant, { family_name: 'Karu' })
  const unknown = { issuer: newState('LV') }
  const { id } = await presentAgain(live, walletOf({ family_name: 'Karu' }, unknown))
  expect((await live.merchant.get(`/v1/verifications/${id}`)).body).toMatchObject({
    status: 'failed',
    error: { code: 'issuer_untrusted' },
  })
  expect(await result.exists()).toBe(true)
})

test('a response that could not be compared is not recorded, and the wallet can send it again', async () => {
  await using own = await startService()
  const live = await newMerchant('ask_merchant', { on: own })
  const [result = ''] = await insertResults(own, live.merchant, 1, 'Ilves')
  const { db } = own.ctx
  await db.execute(sql`alter table erasure_requests add constraint broken check (false) not valid`)
  const { id, responded, respond } = await presentAgain(live, walletOf({ family_name: 'Ilves' }), { on: own })
  expect(responded).toMatchObject({ http_status: 500 })
  expect((await live.merchant.get(`/v1/verifications/${id}`)).body.status).toBe('pending')
  await db.execute(sql`alter table erasure_requests drop constraint broken`)
  expect(await respond()).toMatchObject({ http_status: 200 })
  expect(await queued(live.merchant)).toEqual([result])
})

/** Results of people with this name, each a little older than the one before. */
async function insertResults(on: Service, { tenant_id }: Merchant, count: number, family_name: string) {
  const { db } = on.ctx
  const day = today()
  const ids = Array.from({ length: count }, () => newVerificationId('0', day))
  await db.query(sql`select make_partitions('verification_results', service_day() + 30, service_day() + 30)`)
  await db.execute(sql`
    insert into verification_sessions
      (day, id, tenant_id, environment, status, certificate, purge_day, created_at, expires_at, responded_at)
    select ${day}, id, ${tenant_id}, 'live', 'completed', decode('00', 'hex'), service_day() + 30,
      service_now() - place * interval '1 microsecond', service_now(), service_now()
    from unnest(${ids}::text[]) with ordinality as given (id, place)`)
  const claims = { family_name, given_name: 'Mari', birthdate: '1984-02-29' }
  const credentials = JSON.stringify([{ format: 'dc+sd-jwt', doctype_or_vct: 'urn:eudi:pid:1', claims }])
  await db.execute(sql`
    insert into verification_results (purge_day, verification_id, tenant_id, claims, credentials)
    select service_day() + 30, id, ${tenant_id}, '{}', ${credentials} from unnest(${ids}::text[]) as given (id)`)
  return ids
}

test('pages of results follow each other, up to a bound that the audit log names', async () => {
  const live = await newMerchant('ask_merchant')
  const { merchant } = live
  const older = await insertResults(service, merchant, comparedRows + 1, 'Kotkas')
  await presentAgain(live, walletOf({ family_name: 'Kotkas' }))
  expect((await merchant.get('/v1/erasure_requests?limit=1')).body.data).toHaveLength(1)
  const count = async () => {
    const rows = await ctx.db.query(
      sql`select 1 from erasure_requests where tenant_id = ${merchant.tenant_id}`,
    )
    return rows.length
  }
  expect(await count()).toBe(older.length)
  await insertResults(service, merchant, maxCompared, 'Pääsuke')
  await presentAgain(live, walletOf({ family_name: 'Kotkas' }))
  const compared = (await readAuditLog(ctx, merchant.tenant_id)).filter(
    ({ action }) => action === 'erasure.compared',
  )
  expect(compared).toMatchObject([
    { detail: { compared: comparedRows + 1, matched: comparedRows + 1, complete: true } },
    { detail: { compared: maxCompared, matched: 0, complete: false } },
  ])
})

test('the page offers it without script, and only where it works', async () => {
  const { merchant, path } = await newMerchant('automatic')
  const by = operator(merchant)
  const offers = async () => (await anonymous.get(`${path}?lang=de`)).text.includes('type="date"')
  const page = await anonymous.get(`${path}?lang=de`)
  expect(page.text).toContain(`<form method="post" action="${path}?lang=de"`)
  expect(page.text).toContain('Ohne Code zeigen Sie dieselben Angaben noch einmal')
  expect(page.text).not.toContain('Ohne Code wenden Sie sich')
  const started = await post(anonymous, `${path}?lang=de`, { day: today() })
  expect(started.headers.get('location')).toMatch(/^\/verify\/vs_[\w-]+\?lang=de$/)
  for (const day of ['', '2026-02-30', 'yesterday', '1999-01-01', '+020000-01-01'])
    expect([day, (await post(anonymous, path, { day })).status]).toEqual([day, 400])
  const elsewhere = { 'sec-fetch-site': 'cross-site' }
  expect((await post(anonymous, path, { day: today() }, elsewhere)).status).toBe(400)

  const whileOn = await offers()
  await setHolderPage(ctx, { by, holder_erasure: 'off' })
  const whileOff = await offers()
  expect((await post(anonymous, path, { day: today() })).status).toBe(429)
  await setHolderPage(ctx, { by, holder_erasure: 'automatic', erasure_template: null })
  const withoutTemplate = await offers()
  await setHolderPage(ctx, { by, erasure_template: 'person' })
  const claims = [{ path: ['given_name'] }]
  const [sd_jwt] = person.query.credentials
  await putTemplate(ctx, {
    key: 'person',
    template: { ...person, query: { credentials: [{ ...sd_jwt, claims }] } },
    by,
  })
  expect([whileOn, whileOff, withoutTemplate, await offers()]).toEqual([true, false, false, false])
})

test('with sealed results it is neither configured nor offered', async () => {
  const { merchant, path } = await newMerchant('automatic')
  const offers = async () => (await anonymous.get(path)).text.includes('type="date"')
  expect(await offers()).toBe(true)
  await activateKey(merchant)
  expect(await offers()).toBe(false)
  expect((await post(anonymous, path, { day: today() })).status).toBe(429)
  const owner = await signIn(service, merchant)
  // What is set already does not prevent other changes.
  const set = (body: object) => owner.call('changeHolderPage', { body })
  expect((await set({ erasure_template: 'person', age_app: true })).status).toBe(200)
  const refused = await set({ erasure_template: 'identity_basic' })
  expect([refused.status, refused.body.error]).toEqual([
    409,
    expect.objectContaining({
      code: 'sealing_conflict',
      message: expect.stringContaining('erasure_template'),
    }),
  ])
})

test('a verification that began before sealing is compared with what is not sealed, and stores nothing', async () => {
  const live = await newMerchant('automatic')
  const result = await verify(live.merchant, { family_name: 'Toom' })
  const started = await post(anonymous, live.path, { day: today() })
  const id = started.headers.get('location')?.slice('/verify/'.length) ?? ''
  await activateKey(live.merchant)
  const wallet = await openWallet(ctx, service.address, walletOf({ family_name: 'Toom' }))
  expect(await wallet.respondOver('redirect', id)).toMatchObject({ http_status: 200 })
  expect(await result.exists()).toBe(false)
  expect((await live.merchant.get(`/v1/verifications/${id}`)).body).not.toHaveProperty('claims')
})

test('the setting is refused with the reason, and its template cannot be deleted', async () => {
  const merchant = await service.tenant({ environment: 'live' })
  const by = operator(merchant)
  const owner = await signIn(service, merchant)
  const set = async (erasure_template: string | null) => {
    const { status, body } = await owner.call('changeHolderPage', { body: { erasure_template } })
    return status === 200 ? body.holder_page.erasure_template : `${body.error.code}: ${body.error.message}`
  }
  const derive = { adult: { from: 'birth_date', at_least_years: 18 } }
  const claims = {
    birth_date: [
      { credential: 'sd_jwt', path: ['birthdate'] },
      { credential: 'mdoc', path: [namespace, 'birth_date'] },
    ],
  }
  await putTemplate(ctx, { key: 'adult', template: { ...person, claims, derive }, by })
  await putTemplate(ctx, { key: 'person', template: person, by })
  expect(await set('unknown')).toBe('unknown_template: There is no template unknown.')
  for (const key of ['age_over_18', 'address', 'adult'])
    expect(await set(key)).toMatch(/^invalid_request: .* does not identify people/)
  expect(await set('age_over')).toMatch(/^(?:invalid_request|unknown_template): /)
  for (const key of ['identity_basic', 'pid_full', 'driving_licence', 'person'])
    expect(await set(key)).toBe(key)

  const drop = () => owner.call('deleteTemplate', { params: { key: 'person' } })
  expect(await drop()).toMatchObject({ status: 409, body: { error: { code: 'template_in_use' } } })
  expect(await set(null)).toBe(null)
  expect((await drop()).status).toBe(200)
  const changes = (await readAuditLog(ctx, merchant.tenant_id)).filter(
    ({ action }) => action === 'tenant.holder_page_changed',
  )
  expect(changes.at(-1)).toMatchObject({ detail: { erasure_template: null } })
})

test('addresses have limits, within which a tenant’s quota stays', async () => {
  await using limited = await startService({
    environment: { RATE_LIMITS: 'key=1000/60,ip=1000/60,session=1000/60' },
  })
  const { path } = await newMerchant('automatic', { on: limited })
  const statuses: number[] = []
  for (let tries = 0; tries < 12; tries += 1)
    statuses.push((await post(limited.anonymous, path, { day: today() })).status)
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 303), 429, 429])
})
