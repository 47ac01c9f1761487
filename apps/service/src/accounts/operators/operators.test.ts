import { operatorPaths } from '@vidimus/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { caller } from '../../../test/caller.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { softwareAuthenticator } from '../../../test/sign-in/authenticator.ts'
import { openBrowser, signIn, tokenFromLink } from '../../../test/sign-in/browser.ts'
import {
  acceptOperatorInvitation,
  consoleUrl,
  createOperatorToken,
  openConsole,
  signInOperator,
  startServiceWithConsole,
} from '../../../test/sign-in/console.ts'
import { startService, type Service } from '../../../test/service.ts'
import { flushAudit, installationChain, listAudit } from '../../audit/index.ts'
import { addOperator, inviteOperator } from './operators.ts'
import { maxOperatorTokens } from './tokens.ts'

let service: Service
beforeAll(async () => {
  service = await startServiceWithConsole()
})
afterAll(() => service[Symbol.asyncDispose]())

const by = { name: 'a test' }
const someone = (role: 'owner' | 'support' | 'billing' | 'auditor' = 'owner') =>
  signInOperator(service, role, `Someone ${crypto.randomUUID()}`)

/** The newest entries of the installation's log, newest first. */
async function readLog(limit = 100) {
  await flushAudit(service.ctx)
  return (await listAudit(service.ctx, { tenant_id: installationChain, limit })).data
}

describe('the listener', () => {
  test('serves nothing that the public one serves, and the public one nothing of it', async () => {
    const publicPaths = ['/v1/usage', '/dashboard', '/dashboard/api/me', '/till', '/docs', '/healthz']
    for (const path of publicPaths)
      expect([path, (await caller(service.operator_address).get(path)).status]).toEqual([path, 404])
    const { address } = service
    for (const { method, path } of Object.values(operatorPaths)) {
      const { status } = await caller(address).request(method, path.replaceAll(/\{\w+\}/g, 'x'))
      expect([path, status]).toEqual([path, 404])
    }
    // The same requests get something where they belong.
    expect((await caller(service.operator_address).get('/operator/v1/me')).status).toBe(401)
    expect((await caller(address).get('/healthz')).status).toBe(200)
  })

  test('an unknown address leads only to what this listener serves', async () => {
    const browser = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    const linksOf = (text: string) => [...text.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href)
    for (const address of [service.operator_address, service.address]) {
      const { status, text } = await caller(address).get('/nowhere', { headers: browser })
      expect(status).toBe(404)
      const links = linksOf(text)
      expect(links).toContain(address === service.address ? '/docs' : '/console')
      for (const link of links) {
        const found = await caller(address).get(link, { headers: browser })
        expect([address, link, found.status < 400 || found.text.includes('not built')]).toEqual([
          address,
          link,
          true,
        ])
      }
    }
    const ofProgram = await caller(service.operator_address).get('/operator/v1/nowhere', { headers: browser })
    expect(ofProgram.body.error.code).toBe('not_found')
  })

  test('is off unless a port is set, and on this machine only unless an interface is named', async () => {
    await using without = await startService()
    expect(without.operator_address).toBe('')
    expect(new URL(service.operator_address).hostname).toBe('127.0.0.1')
  })
})

test('a second process on the same machine serves without a console', async () => {
  const lines: string[] = []
  const environment = { OPERATOR_PORT: new URL(service.operator_address).port }
  await using second = await startServiceWithConsole({ environment, onLog: (line) => void lines.push(line) })
  expect(second.operator_address).toBe('')
  expect((await second.anonymous.get('/healthz')).status).toBe(200)
  expect(lines.join('')).toContain('OPERATOR_PORT is in use')
})

describe('an invitation', () => {
  test('registers a passkey once, and signs its operator in', async () => {
    const { operator, link } = await addOperator(service.ctx, {
      by,
      name: 'Mara König',
      email: 'mara@operator.example',
      role: 'support',
    })
    expect(link).toMatch(/^https:[/][/]console[.]example[.]com[/]console[/]invitation#/)
    const token = tokenFromLink(link)
    const read = await openConsole(service).call('readInvitation', { body: { token } })
    expect(read.body).toMatchObject({ name: 'Mara König', email: 'mara@operator.example', role: 'support' })

    const mara = await acceptOperatorInvitation(service, { ...operator, link })
    expect((await mara.call('getMe')).body).toMatchObject({
      operator: { id: operator.id, name: 'Mara König', role: 'support' },
      session: { others: 0, confirmed_until: expect.any(String) },
      passkeys: [{ name: 'First passkey' }],
    })
    const again = await openConsole(service).call('startInvitation', { body: { token } })
    expect(again).toMatchObject({ status: 404, body: { error: { code: 'invalid_invitation' } } })
  })

  test('of two who use it at the same moment, one gets in', async () => {
    const { operator, link } = await addOperator(service.ctx, {
      by,
      name: 'Raced',
      email: 'raced@operator.example',
      role: 'support',
    })
    const accept = () => acceptOperatorInvitation(service, { ...operator, link })
    const results = await Promise.allSettled([accept(), accept(), accept()])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('is replaced by another one, which ends the sessions of who uses it', async () => {
    const first = await someone()
    const replaced = await inviteOperator(service.ctx, { by, id: first.id })
    const { operator, link } = await inviteOperator(service.ctx, { by, id: first.id })
    const stale = await openConsole(service).call('readInvitation', {
      body: { token: tokenFromLink(replaced.link) },
    })
    expect(stale.status).toBe(404)
    expect((await first.call('getMe')).status).toBe(200)
    const again = await acceptOperatorInvitation(service, { ...operator, link })
    expect((await first.call('getMe')).status).toBe(401)
    expect((await again.call('getMe')).body.passkeys).toHaveLength(2)
  })

  test('that would let an owner act as another owner is not made on the console', async () => {
    const [owner, other, support] = [await someone(), await someone(), await someone('support')]
    const invite = (id: string) => owner.call('inviteOperator', { params: { id } })
    expect((await invite(other.id)).body.error.code).toBe('role_not_allowed')
    expect((await invite(support.id)).status).toBe(201)
    const body = { name: 'New', email: `${crypto.randomUUID()}@operator.example`, role: 'owner' }
    const added = await owner.call('addOperator', { body })
    expect((await invite(added.body.operator.id)).status).toBe(201)
  })

  test('ends after a day', async () => {
    await using other = await startServiceWithConsole()
    const added = { by, name: 'Late', email: 'late@operator.example', role: 'owner' } as const
    const { link } = await addOperator(other.ctx, added)
    const body = { token: tokenFromLink(link) }
    await setClockOffset(other.ctx.db, '23 hours 59 minutes')
    expect((await openConsole(other).call('readInvitation', { body })).status).toBe(200)
    await setClockOffset(other.ctx.db, '24 hours 1 minute')
    expect((await openConsole(other).call('readInvitation', { body })).status).toBe(404)
  })
})

describe('a sign-in', () => {
  const signInWith = async (passkey: ReturnType<typeof softwareAuthenticator>, overrides = {}) => {
    const browser = openConsole(service)
    const { body } = await browser.call('startSignIn')
    const response = passkey.get(body.options, overrides)
    return { browser, reply: await browser.call('finishSignIn', { body: { response } }), response }
  }

  test('needs a known passkey, this origin, a verified user and a challenge that was not used', async () => {
    const operator = await someone()
    const { browser, reply, response } = await signInWith(operator.passkey)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('set-cookie')).toMatch(
      /^__Host-vidimus_operator=[\w-]+; Path=[/]; HttpOnly; SameSite=Strict; Max-Age=28800; Secure$/,
    )
    expect((await browser.call('getMe')).body.session.others).toBe(1)

    const refused = [
      (await openConsole(service).call('finishSignIn', { body: { response } })).status,
      (await signInWith(softwareAuthenticator(consoleUrl))).reply.status,
      ...(await Promise.all(
        [
          { origin: 'https://evil.example' },
          { rpId: 'evil.example' },
          { verified: false },
          { otherKey: true },
        ].map(async (overrides) => (await signInWith(operator.passkey, overrides)).reply.status),
      )),
    ]
    expect(refused).toEqual([401, 401, 401, 401, 401, 401])
    const failed = (await readLog()).filter(({ action }) => action === 'installation.operator_sign_in_failed')
    expect(failed.length).toBeGreaterThanOrEqual(5)
    expect(failed[0]?.detail).toEqual({ operator_id: operator.id })
  })

  test('a challenge for members is worth nothing here, and theirs nothing there', async () => {
    const merchant = await service.tenant()
    const member = await signIn(service, merchant)
    const operator = await someone()
    const ofMembers = await openBrowser(service).call('startPasskeySignIn')
    const response = operator.passkey.get({ ...ofMembers.body.options, rpId: new URL(consoleUrl).hostname })
    expect((await openConsole(service).call('finishSignIn', { body: { response } })).status).toBe(401)
    const ofOperators = await openConsole(service).call('startSignIn')
    const { hostname } = new URL(service.ctx.config.BASE_URL)
    const signed = member.passkey.get({ ...ofOperators.body.options, rpId: hostname })
    expect(
      (await openBrowser(service).call('finishPasskeySignIn', { body: { response: signed } })).status,
    ).toBe(401)
  })

  test('replaces the session that the browser had, and ends when its operator signs out', async () => {
    const operator = await someone()
    const before = new Map(operator.cookies)
    const { body } = await operator.call('startSignIn')
    await operator.call('finishSignIn', { body: { response: operator.passkey.get(body.options) } })
    const old = openConsole(service)
    for (const [name, value] of before) old.cookies.set(name, value)
    expect((await old.call('getMe')).status).toBe(401)
    expect((await operator.call('getMe')).status).toBe(200)

    const cookies = new Map(operator.cookies)
    expect((await operator.call('signOut')).status).toBe(200)
    for (const [name, value] of cookies) operator.cookies.set(name, value)
    expect((await operator.call('getMe')).body.error.code).toBe('not_signed_in')
  })

  test('lasts half an hour without use and eight hours with it', async () => {
    await using other = await startServiceWithConsole()
    const [idle, busy] = [await signInOperator(other), await signInOperator(other, 'support')]
    for (let minutes = 25; minutes < 8 * 60; minutes += 25) {
      await setClockOffset(other.ctx.db, `${minutes} minutes`)
      expect([minutes, (await busy.call('getMe')).status]).toEqual([minutes, 200])
      if (minutes === 25) continue
      expect((await idle.call('getMe')).status).toBe(401)
    }
    await setClockOffset(other.ctx.db, '481 minutes')
    expect((await busy.call('getMe')).status).toBe(401)
  })

  test('counts requests of other sites for nothing', async () => {
    const operator = await someone()
    const body = { name: 'T', role: 'owner', expires_in_days: 1 }
    const from = async (headers: Record<string, string>) =>
      (await operator.call('createToken', { body, headers })).status
    expect(await from({ origin: 'https://evil.example' })).toBe(403)
    expect(await from({ 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await from({ origin: new URL(service.ctx.config.BASE_URL).origin })).toBe(403)
    expect((await operator.call('getMe', { headers: { 'sec-fetch-site': 'same-site' } })).status).toBe(403)
    expect(await from({})).toBe(201)
  })
})

describe('a confirmation', () => {
  test('is needed for what is lasting once ten minutes have passed, and is of the own passkey', async () => {
    await using other = await startServiceWithConsole()
    const operator = await signInOperator(other)
    const stranger = await signInOperator(other, 'owner', 'Stranger')
    const add = (email: string) =>
      operator.call('addOperator', { body: { name: 'New', email, role: 'support' } })
    expect((await add('one@operator.example')).status).toBe(201)
    await setClockOffset(other.ctx.db, '11 minutes')
    expect((await operator.call('getMe')).body.session.confirmed_until).toBeUndefined()
    expect((await add('two@operator.example')).body.error.code).toBe('confirmation_required')

    const { body } = await operator.call('startConfirmation')
    expect(body.options.allowCredentials).toHaveLength(1)
    const foreign = { response: stranger.passkey.get(body.options) }
    expect((await operator.call('confirm', { body: foreign })).status).toBe(401)
    expect((await operator.confirm()).body.session.confirmed_until).toEqual(expect.any(String))
    expect((await add('two@operator.example')).status).toBe(201)
  })
})

describe('passkeys', () => {
  test('are added and removed, but for the last', async () => {
    const operator = await someone()
    const { body } = await operator.call('startPasskey')
    const second = softwareAuthenticator(operator.origin)
    const added = await operator.call('addPasskey', {
      body: { name: 'Spare', response: second.create(body.options) },
    })
    expect(added.body.passkeys).toHaveLength(2)
    const [first, spare] = added.body.passkeys
    expect((await operator.call('removePasskey', { params: { id: first.id } })).status).toBe(200)
    const last = await operator.call('removePasskey', { params: { id: spare.id } })
    expect(last.body.error.code).toBe('last_sign_in_method')
    expect((await operator.call('removePasskey', { params: { id: first.id } })).status).toBe(404)
  })
})

describe('operators', () => {
  test('are added once, get another role and are removed at once', async () => {
    const owner = await someone()
    const colleague = await someone('billing')
    const again = { name: 'Again', email: colleague.email, role: 'owner' }
    expect((await owner.call('addOperator', { body: again })).body.error.code).toBe('invalid_request')

    const params = { id: colleague.id }
    const changed = await owner.call('changeOperatorRole', {
      params,
      body: { role: 'auditor', reason: 'moved' },
    })
    expect(changed.body).toMatchObject({ role: 'auditor', you: false })
    expect((await colleague.call('getMe')).body.operator.role).toBe('auditor')
    expect((await owner.call('removeOperator', { params })).body.removed_at).toEqual(expect.any(String))
    expect((await colleague.call('getMe')).status).toBe(401)
    const { body } = await colleague.call('startSignIn')
    const response = colleague.passkey.get(body.options)
    expect((await colleague.call('finishSignIn', { body: { response } })).status).toBe(401)
    expect((await owner.call('removeOperator', { params })).status).toBe(404)
    const listed = (await owner.call('listOperators')).body.data
    expect(listed.find(({ id }: { id: string }) => id === colleague.id)).toMatchObject({ passkeys: 0 })
    // A removed address can be added again.
    const back = { name: 'Back', email: colleague.email, role: 'support' }
    expect((await owner.call('addOperator', { body: back })).status).toBe(201)
  })

  test('of two owners who remove each other at the same moment, one stays', async () => {
    await using other = await startServiceWithConsole()
    for (let round = 0; round < 5; round += 1) {
      const [one, two] = [
        await signInOperator(other, 'owner', `One ${round}`),
        await signInOperator(other, 'owner', `Two ${round}`),
      ]
      const statuses = (
        await Promise.all([
          one.call('removeOperator', { params: { id: two.id } }),
          two.call('removeOperator', { params: { id: one.id } }),
        ])
      ).map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      const left = [one, two].find((_, at) => statuses[at] === 200)
      if (left === undefined) throw new Error('nobody is left')
      const demote = { params: { id: left.id }, body: { role: 'support' } }
      const owners = (await left.call('listOperators')).body.data.filter(
        (each: { role: string; removed_at?: string }) =>
          each.role === 'owner' && each.removed_at === undefined,
      )
      if (owners.length > 1) continue
      expect((await left.call('changeOperatorRole', demote)).body.error.code).toBe('last_owner')
    }
  })
})

describe('a token', () => {
  const use = (token: string) => caller(service.operator_address, token)

  test('is shown once, and reads what its role may, with no page of origin', async () => {
    const owner = await someone()
    const { id, token } = await createOperatorToken(owner, { role: 'billing', name: 'Invoices' })
    expect(token).toMatch(/^vo_[\w-]{44}$/)
    expect(JSON.stringify((await owner.call('listTokens')).body)).not.toContain(token)
    expect((await use(token).get('/operator/v1/me')).body).toMatchObject({
      operator: { id: owner.id, role: 'billing' },
    })
    expect((await use(token).get('/operator/v1/operators')).body.error.code).toBe('role_not_allowed')
    expect((await use(`${token}x`).get('/operator/v1/me')).status).toBe(401)

    expect((await owner.call('revokeToken', { params: { id } })).body.state).toBe('revoked')
    expect((await use(token).get('/operator/v1/me')).status).toBe(401)
  })

  test('can do nothing that needs a person, whatever its role', async () => {
    const owner = await someone()
    const { token } = await createOperatorToken(owner, { role: 'owner' })
    const add = { name: 'X', email: 'x@operator.example', role: 'owner' }
    const refused = [
      await use(token).post('/operator/v1/operators', add),
      await use(token).post('/operator/v1/tokens', { name: 'T', role: 'owner', expires_in_days: 90 }),
      await use(token).get('/operator/v1/tokens'),
      await use(token).post('/operator/v1/me/confirmation/options'),
    ]
    for (const { status, body } of refused)
      expect([status, body.error.code]).toEqual([403, 'confirmation_required'])
  })

  test('does no more than its maker may, and ends with them', async () => {
    const owner = await someone()
    const support = await someone('support')
    const more = { name: 'T', role: 'owner', expires_in_days: 1 }
    expect((await support.call('createToken', { body: more })).body.error.code).toBe('role_not_allowed')
    const { token } = await createOperatorToken(support, { role: 'support' })
    const params = { id: support.id }
    await owner.call('changeOperatorRole', { params, body: { role: 'auditor' } })
    expect((await use(token).get('/operator/v1/me')).status).toBe(401)
    const later = await createOperatorToken(support, { role: 'auditor' })
    expect((await use(later.token).get('/operator/v1/me')).status).toBe(200)
    await owner.call('removeOperator', { params })
    expect((await use(later.token).get('/operator/v1/me')).status).toBe(401)
  })

  test('of another operator is seen and revoked by owners only', async () => {
    const [owner, one, two] = [await someone(), await someone('billing'), await someone('billing')]
    const { id } = await createOperatorToken(one, { role: 'billing' })
    expect((await two.call('listTokens')).body.data).toEqual([])
    expect((await two.call('revokeToken', { params: { id } })).status).toBe(404)
    const all = (await owner.call('listTokens')).body.data.map((each: { id: string }) => each.id)
    expect(all).toContain(id)
    expect((await owner.call('revokeToken', { params: { id } })).status).toBe(200)
  })

  test('ends on its day, and there are never too many', async () => {
    await using other = await startServiceWithConsole()
    const owner = await signInOperator(other)
    const { token } = await createOperatorToken(owner, { role: 'auditor', expires_in_days: 1 })
    for (let n = 1; n < maxOperatorTokens; n += 1) await createOperatorToken(owner, { role: 'auditor' })
    const body = { name: 'T', role: 'auditor', expires_in_days: 91 }
    expect((await owner.call('createToken', { body })).status).toBe(400)
    expect((await owner.call('createToken', { body: { ...body, expires_in_days: 1 } })).body.error.code).toBe(
      'too_many',
    )
    await setClockOffset(other.ctx.db, '24 hours 1 minute')
    expect((await caller(other.operator_address, token).get('/operator/v1/me')).status).toBe(401)
  })
})

test('the log names the operator of every change, and has none of their secrets', async () => {
  const owner = await someone()
  const { id, token } = await createOperatorToken(owner, { role: 'auditor' })
  await owner.call('revokeToken', { params: { id } })
  const added = await owner.call('addOperator', {
    body: {
      name: 'New',
      email: `${crypto.randomUUID()}@operator.example`,
      role: 'support',
      reason: 'Ticket 12',
    },
  })
  await owner.call('removeOperator', { params: { id: added.body.operator.id } })
  await owner.call('signOut')
  const mine = (await readLog(20)).filter(({ actor }) => actor === `operator:${owner.id}`).toReversed()
  expect(mine.map(({ action, actor_name, purpose }) => [action, actor_name, purpose])).toEqual(
    [
      ['installation.operator_joined'],
      ['installation.operator_signed_in'],
      ['installation.operator_token_created'],
      ['installation.operator_token_revoked'],
      ['installation.operator_added', 'Ticket 12'],
      ['installation.operator_removed'],
      ['installation.operator_signed_out'],
    ].map(([action, purpose]) => [action, owner.name, purpose]),
  )
  expect(JSON.stringify(mine)).not.toContain(token)
})
