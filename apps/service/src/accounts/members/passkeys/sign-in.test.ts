import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  softwareAuthenticator,
  cborMap,
  type ResponseOverrides,
} from '../../../../test/sign-in/authenticator.ts'
import { openBrowser, signIn, tokenFromLink } from '../../../../test/sign-in/browser.ts'
import { setClockOffset } from '../../../../test/database/clock.ts'
import { startService, type Merchant, type Service } from '../../../../test/service.ts'
import { inviteMember } from '../invitations/invite.ts'

let service: Service
let merchant: Merchant
beforeAll(async () => {
  service = await startService()
  merchant = await service.tenant()
})
afterAll(() => service[Symbol.asyncDispose]())

async function invite(email: string) {
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  return tokenFromLink((await inviteMember(service.ctx, { by, email, role: 'developer' })).link)
}

describe('an invitation', () => {
  test('creates a member with a passkey, signs them in, and works once', async () => {
    const token = await invite('once@example.com')
    const browser = openBrowser(service)
    const passkey = softwareAuthenticator(browser.origin)
    const read = await browser.call('readInvitation', { body: { token } })
    expect(read.body).toMatchObject({
      tenant_name: 'A merchant',
      email: 'once@example.com',
      role: 'developer',
    })

    const { body } = await browser.call('startPasskeyOfInvitation', { body: { token, name: 'Ada' } })
    expect(body.options).toMatchObject({
      rp: { id: 'localhost' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const response = passkey.create(body.options)
    const accepted = await browser.call('acceptWithPasskey', { body: { token, name: 'Ada', response } })
    expect(accepted.status).toBe(200)
    const [cookie = ''] = accepted.headers.getSetCookie()
    expect(cookie).toMatch(/^vidimus_session=0[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/)

    const me = await browser.call('getMe')
    expect(me.body).toMatchObject({
      member: { name: 'Ada', email: 'once@example.com', role: 'developer' },
      tenant: { id: merchant.tenant_id },
      passkeys: [{ id: passkey.id, name: 'First passkey' }],
    })
    const again = await browser.call('acceptWithPasskey', { body: { token, name: 'Eve', response } })
    expect(again.status).toBe(404)
    expect(again.body.error.code).toBe('invalid_invitation')
  })

  test('one of many concurrent attempts with one link succeeds', async () => {
    const token = await invite('race@example.com')
    const racers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const browser = openBrowser(service)
        const { body } = await browser.call('startPasskeyOfInvitation', { body: { token, name: 'R' } })
        const response = softwareAuthenticator(browser.origin).create(body.options)
        return { browser, response }
      }),
    )
    const replies = await Promise.all(
      racers.map(({ browser, response }) =>
        browser.call('acceptWithPasskey', { body: { token, name: 'R', response } }),
      ),
    )
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 404),
    ])
  })

  test('an attestation certificate that would make the library fetch URLs is refused unread', async () => {
    const token = await invite('attested@example.com')
    const browser = openBrowser(service)
    const { body } = await browser.call('startPasskeyOfInvitation', { body: { token, name: 'A' } })
    const attStmt = cborMap([
      ['alg', -7],
      ['sig', Buffer.alloc(70)],
      ['x5c', { cbor: Buffer.from([0x81, 0x41, 0x30]) }],
    ])
    for (const fmt of ['packed', 'fido-u2f', 'tpm', 'apple', 'android-key']) {
      const response = softwareAuthenticator(browser.origin).create(body.options, {
        attestation: { fmt, attStmt },
      })
      const reply = await browser.call('acceptWithPasskey', { body: { token, name: 'A', response } })
      expect(reply.body.error.code).toBe('sign_in_failed')
    }
  })

  test('for an existing member adds a passkey, keeps the role and ends other sessions', async () => {
    const first = await signIn(service, { ...merchant, role: 'support', email: 'lost@example.com' })
    const token = await invite('lost@example.com')
    const browser = openBrowser(service)
    const passkey = softwareAuthenticator(browser.origin)
    const read = await browser.call('readInvitation', { body: { token } })
    expect(read.body).toMatchObject({ returning: true, role: 'support' })
    const { body } = await browser.call('startPasskeyOfInvitation', { body: { token, name: 'Lost' } })
    const response = passkey.create(body.options)
    await browser.call('acceptWithPasskey', { body: { token, name: 'Lost', response } })
    const me = await browser.call('getMe')
    expect(me.body.member.role).toBe('support')
    expect(me.body.passkeys).toHaveLength(2)
    expect((await first.call('getMe')).status).toBe(401)
  })
})

describe('a sign-in with a passkey', () => {
  async function attempt(change: ResponseOverrides = {}, passkey?: ReturnType<typeof softwareAuthenticator>) {
    const known = await signIn(service, { ...merchant, email: `${crypto.randomUUID()}@example.com` })
    const browser = openBrowser(service)
    const { body } = await browser.call('startPasskeySignIn')
    const response = (passkey ?? known.passkey).get(body.options, change)
    return { reply: await browser.call('finishPasskeySignIn', { body: { response } }), browser, response }
  }

  test('works, opens a new session, and the same response does not work twice', async () => {
    const { reply, browser, response } = await attempt()
    expect(reply.status).toBe(200)
    expect((await browser.call('getMe')).status).toBe(200)
    const replayed = await openBrowser(service).call('finishPasskeySignIn', { body: { response } })
    expect(replayed.status).toBe(401)
  })

  const wrong: Record<string, ResponseOverrides> = {
    'from another origin': { origin: 'https://evil.example' },
    'for another host': { rpId: 'evil.example' },
    'signed with another key': { otherKey: true },
    'without user verification': { verified: false },
    'for a challenge that was never issued': { challenge: Buffer.alloc(38).toString('base64url') },
    'of another type': { type: 'webauthn.create' },
  }
  test.each(Object.entries(wrong))('%s is refused', async (_, change) => {
    const { reply } = await attempt(change)
    expect(reply.status).toBe(401)
  })

  test('every refusal is identical, whether the passkey is known or not', async () => {
    const stranger = softwareAuthenticator('http://localhost:8080')
    const texts = await Promise.all([
      attempt({}, stranger),
      attempt({ otherKey: true }),
      attempt({ rpId: 'x' }),
    ])
    expect(new Set(texts.map(({ reply }) => reply.text)).size).toBe(1)
  })

  test('a counter that does not advance indicates a clone and is refused', async () => {
    const known = await signIn(service, { ...merchant, email: 'copied@example.com' })
    const tryWith = async (counter: number) => {
      const browser = openBrowser(service)
      const { body } = await browser.call('startPasskeySignIn')
      return browser.call('finishPasskeySignIn', {
        body: { response: known.passkey.get(body.options, { counter }) },
      })
    }
    expect((await tryWith(7)).status).toBe(200)
    expect((await tryWith(7)).status).toBe(401)
    expect((await tryWith(3)).status).toBe(401)
    expect((await tryWith(8)).status).toBe(200)
  })

  test.each([{}, { response: {} }, { response: { id: 'x', rawId: 'x', type: 'public-key', response: {} } }])(
    'an invalid body is refused without a 500: %j',
    async (body) => {
      const reply = await openBrowser(service).call('finishPasskeySignIn', { body })
      expect([400, 401]).toContain(reply.status)
    },
  )
})

test('a challenge expires by the database clock', async () => {
  await using other = await startService()
  const tenant = await other.tenant()
  const known = await signIn(other, tenant)
  const browser = openBrowser(other)
  const { body } = await browser.call('startPasskeySignIn')
  await setClockOffset(other.ctx.db, '6 minutes')
  const reply = await browser.call('finishPasskeySignIn', {
    body: { response: known.passkey.get(body.options) },
  })
  expect(reply.status).toBe(401)
})
