import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readAuditLog } from '../../../../test/audit/audit.ts'
import { openBrowser, signIn, type Browser, type SignedInBrowser } from '../../../../test/sign-in/browser.ts'
import { setClockOffset } from '../../../../test/database/clock.ts'
import { startService, type Merchant, type Service } from '../../../../test/service.ts'

let service: Service
let merchant: Merchant
beforeAll(async () => {
  service = await startService()
  merchant = await service.tenant()
})
afterAll(() => service[Symbol.asyncDispose]())

const someone = () => signIn(service, { ...merchant, email: `${crypto.randomUUID()}@example.com` })

describe('a session', () => {
  test("ends when its member signs out; the member's other sessions stay", async () => {
    const first = await someone()
    const second = openBrowser(service)
    const { body } = await second.call('startPasskeySignIn')
    await second.call('finishPasskeySignIn', { body: { response: first.passkey.get(body.options) } })
    expect((await first.call('getMe')).body.session.others).toBe(1)
    const oldCookie = first.cookie()

    expect((await first.call('signOut')).status).toBe(200)
    expect(first.cookies.size).toBe(0)
    expect((await openBrowser(service).call('getMe', { headers: { cookie: oldCookie } })).status).toBe(401)
    expect((await second.call('getMe')).status).toBe(200)
  })

  test('opens whoever else signs in as the same member at the same moment', async () => {
    const member = await someone()
    const again = async () => {
      const browser = openBrowser(service)
      const { body } = await browser.call('startPasskeySignIn')
      const response = member.passkey.get(body.options)
      return (await browser.call('finishPasskeySignIn', { body: { response } })).status
    }
    const statuses: number[] = []
    for (let round = 0; round < 5; round += 1) statuses.push(...(await Promise.all([again(), again()])))
    // The counter of a passkey goes up with each use, so the later of two that cross may be refused, but neither fails.
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(5)
  })

  test('ends, like every other of that member, on signing out everywhere', async () => {
    const first = await someone()
    const second = openBrowser(service)
    const { body } = await second.call('startPasskeySignIn')
    await second.call('finishPasskeySignIn', { body: { response: first.passkey.get(body.options) } })
    expect((await second.call('signOutEverywhere')).status).toBe(200)
    expect((await first.call('getMe')).status).toBe(401)
  })

  test('is new after every sign-in, and the previous one is invalid', async () => {
    const browser = await someone()
    const previousCookie = browser.cookie()
    const { body } = await browser.call('startPasskeySignIn')
    await browser.call('finishPasskeySignIn', { body: { response: browser.passkey.get(body.options) } })
    expect(browser.cookie()).not.toBe(previousCookie)
    expect((await openBrowser(service).call('getMe', { headers: { cookie: previousCookie } })).status).toBe(
      401,
    )
  })

  test('follows a role change or removal at once', async () => {
    const owner = await someone()
    const other = await signIn(service, { ...merchant, role: 'developer', email: 'changing@example.com' })
    const { id } = (await other.call('getMe')).body.member
    const environment = 'test'
    expect((await other.call('listKeys', { params: { environment } })).status).toBe(200)
    await owner.call('changeRole', { params: { id }, body: { role: 'auditor' } })
    const made = await other.call('createKey', {
      params: { environment },
      body: { name: 'k', scopes: ['verifications:read'] },
    })
    expect(made.body.error.code).toBe('role_not_allowed')
    await owner.call('removeMember', { params: { id } })
    expect((await other.call('getMe')).status).toBe(401)
  })

  test('is refused if the cookie is sent twice', async () => {
    const browser = await someone()
    const response = await openBrowser(service).call('getMe', {
      headers: { cookie: `vidimus_session=other; ${browser.cookie()}` },
    })
    expect(response.status).toBe(401)
  })

  test('is stored only as a hash', async () => {
    const browser = await someone()
    const { token = '' } = { token: browser.cookies.get('vidimus_session') }
    const { rows } = await dump(service)
    expect(rows.includes(token)).toBe(false)
    expect(rows.length).toBeGreaterThan(0)
  })
})

async function dump({ ctx }: Service): Promise<{ rows: string }> {
  const { sql } = await import('../../../engine/db/sql.ts')
  const rows = await ctx.db.query(sql`select row_to_json(s)::text as text from member_sessions s limit 100`)
  return { rows: JSON.stringify(rows) }
}

describe('the sessions of a member', () => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const secondOf = async (member: SignedInBrowser) => {
    const second = openBrowser(service)
    const { body } = await second.call('startPasskeySignIn')
    await second.call('finishPasskeySignIn', {
      body: { response: member.passkey.get(body.options) },
      headers: { 'user-agent': firefox },
    })
    return second
  }
  const idOf = async (browser: Browser) =>
    (await browser.call('getMe')).body.sessions.find(({ current }: { current: boolean }) => current).id

  test('are listed with browser and times, and without what was sent', async () => {
    const first = await someone()
    await secondOf(first)
    const { sessions } = (await first.call('getMe')).body
    expect(sessions).toMatchObject([
      { browser: 'Firefox, Linux', method: 'passkey', current: false },
      { method: 'link', current: true },
    ])
    expect(JSON.stringify((await dump(service)).rows)).not.toContain('Mozilla')
  })

  test('are ended one by one, which is audited, and the others stay', async () => {
    const first = await someone()
    const [second, third] = [await secondOf(first), await secondOf(first)]
    const id = await idOf(second)

    expect((await first.call('endSession', { params: { id } })).status).toBe(200)
    expect((await second.call('getMe')).status).toBe(401)
    expect([(await first.call('getMe')).status, (await third.call('getMe')).status]).toEqual([200, 200])
    const again = await first.call('endSession', { params: { id } })
    expect([again.status, again.body.error.code]).toEqual([404, 'member_session_not_found'])
    const entries = await readAuditLog(service.ctx, merchant.tenant_id)
    const { id: member_id } = (await first.call('getMe')).body.member
    expect(
      entries.filter(
        ({ action, actor }) => action === 'member.session_ended' && actor === `member:${member_id}`,
      ),
    ).toHaveLength(1)
  })

  test('end for this browser too, with its cookie', async () => {
    const browser = await someone()
    const id = await idOf(browser)
    expect((await browser.call('endSession', { params: { id } })).status).toBe(200)
    expect(browser.cookies.size).toBe(0)
  })

  test('of another member cannot be ended', async () => {
    const [one, other] = [await someone(), await someone()]
    const refused = await one.call('endSession', { params: { id: await idOf(other) } })
    expect([refused.status, refused.body.error.code]).toEqual([404, 'member_session_not_found'])
    expect((await other.call('getMe')).status).toBe(200)
  })
})

describe('time, by the database clock', () => {
  test('an idle session ends after two hours, an active one after twelve', async () => {
    await using other = await startService()
    const tenant = await other.tenant()
    const idle = await signIn(other, { ...tenant, email: 'idle@example.com' })
    const busy = await signIn(other, { ...tenant, email: 'busy@example.com' })
    for (let hour = 1; hour <= 11; hour += 1) {
      await setClockOffset(other.ctx.db, `${hour} hours`)
      expect((await busy.call('getMe')).status).toBe(200)
    }
    expect((await idle.call('getMe')).status).toBe(401)
    await setClockOffset(other.ctx.db, '12 hours')
    expect((await busy.call('getMe')).status).toBe(401)
  })

  test('an invitation expires after three days', async () => {
    await using other = await startService()
    const tenant = await other.tenant()
    const owner = await signIn(other, tenant)
    const { body } = await owner.call('inviteMember', { body: { email: 'Late@Example.com', role: 'admin' } })
    expect(body.invitation.email).toBe('late@example.com')
    const token = new URL(body.link).hash.slice(1)
    await setClockOffset(other.ctx.db, '71 hours')
    expect((await openBrowser(other).call('readInvitation', { body: { token } })).status).toBe(200)
    await setClockOffset(other.ctx.db, '73 hours')
    expect((await openBrowser(other).call('readInvitation', { body: { token } })).status).toBe(404)
  })
})

describe('where a request comes from', () => {
  const refused: [string, Record<string, string>][] = [
    ['another origin', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://localhost:9999' }],
    ['a sandboxed page', { origin: 'null' }],
    ['another site, by Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling domain, by Sec-Fetch-Site', { 'sec-fetch-site': 'same-site' }],
    ['no origin', { origin: '' }],
  ]
  test.each(refused)('a change from %s is refused before the session is checked', async (_, headers) => {
    const browser = await someone()
    const response = await browser.call('changeMe', { body: { name: 'Changed' }, headers })
    expect(response.status).toBe(403)
    expect(response.body.error.code).toBe('wrong_origin')
    expect((await browser.call('getMe')).body.member.name).toBe('The owner')
  })

  test('a page of another origin cannot read either', async () => {
    const browser = await someone()
    const response = await browser.call('getMe', { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(response.body.error.code).toBe('wrong_origin')
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('the last owner', () => {
  test('one of two owners who remove each other at the same time stays', async () => {
    for (let round = 0; round < 5; round += 1) {
      const tenant = await service.tenant()
      const one = await signIn(service, { ...tenant, email: 'one@example.com' })
      const two = await signIn(service, { ...tenant, email: 'two@example.com' })
      const ids = await Promise.all([one, two].map(async (each) => (await each.call('getMe')).body.member.id))
      await Promise.all([
        one.call('removeMember', { params: { id: ids[1] } }),
        two.call('removeMember', { params: { id: ids[0] } }),
      ])
      const left = await Promise.all([one, two].map(async (each) => (await each.call('getMe')).status))
      expect(left.toSorted((a, b) => a - b)).toEqual([200, 401])
    }
  })

  test('cannot be removed or demoted, and an admin cannot manage owners', async () => {
    const tenant = await service.tenant()
    const owner = await signIn(service, tenant)
    const admin = await signIn(service, { ...tenant, role: 'admin' })
    const { id } = (await owner.call('getMe')).body.member
    expect((await owner.call('removeMember', { params: { id } })).body.error.code).toBe('last_owner')
    expect(
      (await owner.call('changeRole', { params: { id }, body: { role: 'admin' } })).body.error.code,
    ).toBe('last_owner')
    expect((await admin.call('removeMember', { params: { id } })).body.error.code).toBe('role_not_allowed')
    const lifted = await admin.call('inviteMember', { body: { email: 'x@example.com', role: 'owner' } })
    expect(lifted.body.error.code).toBe('role_not_allowed')
    const back = await admin.call('inviteMember', { body: { email: owner.email, role: 'auditor' } })
    expect(back.body.error.code).toBe('role_not_allowed')
  })
})

test('failed sign-ins from one address are limited', async () => {
  await using bounded = await startService({
    environment: { RATE_LIMITS: 'key=6000/60,ip=6000/60,session=600/60' },
  })
  const browser = openBrowser(bounded)
  const statuses: number[] = []
  for (let attempt = 0; attempt < 32; attempt += 1) {
    statuses.push((await browser.call('finishPasskeySignIn', { body: { response: {} } })).status)
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(30)
  expect(statuses.slice(-2)).toEqual([429, 429])
  await setClockOffset(bounded.ctx.db, '1 hour')
  expect((await browser.call('finishPasskeySignIn', { body: { response: {} } })).status).toBe(401)
})
