import { afterAll, beforeAll, expect, test } from 'vitest'
import { inviteMember } from '../../apps/service/src/accounts/members/invitations/invite.ts'
import { softwareAuthenticator } from '../../apps/service/test/sign-in/authenticator.ts'
import { openBrowser, signIn, tokenFromLink, type Browser } from '../../apps/service/test/sign-in/browser.ts'
import {
  signInAtProvider,
  startIdentityProvider,
  type IdentityProvider,
} from '../../apps/service/test/sign-in/identity-provider.ts'
import { startCells, type CellName, type Cells } from '../../apps/service/test/cells/start-cells.ts'

let fixture: Cells
let provider: IdentityProvider
let tenants: Record<CellName, string>

beforeAll(async () => {
  fixture = await startCells({
    environment: async (address) => {
      provider = await startIdentityProvider(address)
      return provider.environment
    },
  })
  const { a, b } = fixture.cells
  tenants = { a: (await a.tenant()).tenant_id, b: (await b.tenant()).tenant_id }
})
afterAll(async () => {
  await fixture[Symbol.asyncDispose]()
  provider.close()
})

test('a passkey signs in to its cell from a page that knows no cell, and its challenge works once', async () => {
  for (const cell of ['a', 'b'] as const) {
    const { passkey, handle } = await join(cell)
    const browser = open()
    const { body } = await browser.call('getSignIn')
    expect(body.cells).toEqual(['a', 'b'])
    const options = await joinedOptions(browser)
    const response = withHandle(passkey.get(options), handle)
    const reply = await browser.call('finishPasskeySignIn', { body: { response } })
    expect([reply.status, browser.cookies.get('vidimus_session')?.charAt(0)]).toEqual([200, cell])
    expect((await browser.call('getMe')).body).toMatchObject({ tenant: { id: tenants[cell] }, cell })
    const again = withHandle(passkey.get(options), handle)
    expect((await open().call('finishPasskeySignIn', { body: { response: again } })).status).toBe(401)
  }
})

test('a challenge of another cell alone, or one that was cut, does not sign in', async () => {
  const { passkey, handle } = await join('b')
  const browser = open()
  const [ofA, ofB] = await Promise.all([offer(browser, 'a'), offer(browser, 'b')])
  const bytes = Buffer.from(ofB.challenge, 'base64url')
  const many = Buffer.concat(Array.from({ length: 33 }, () => bytes))
  for (const challenge of [
    ofA.challenge,
    bytes.subarray(1).toString('base64url'),
    many.toString('base64url'),
  ]) {
    const response = withHandle(passkey.get({ ...ofB, challenge }), handle)
    expect((await browser.call('finishPasskeySignIn', { body: { response } })).status).toBe(401)
  }
})

test('a member of tenants in two cells switches between them without signing in again, and signs out of each', async () => {
  const browser = await signInTo('a')
  const before = browser.cookies.get('vidimus_session')
  await acceptInvitation(browser, 'b')
  expect((await browser.call('getMe')).body.tenant.id).toBe(tenants.b)
  expect(browser.cookies.get('vidimus_session_a')).toBe(before)

  expect((await browser.call('switchCell', { body: { cell: 'a' } })).status).toBe(200)
  expect((await browser.call('getMe')).body.tenant.id).toBe(tenants.a)
  expect(browser.cookies.has('vidimus_session_a')).toBe(false)
  expect((await browser.call('switchCell', { body: { cell: 'b' } })).status).toBe(200)
  expect((await browser.call('getMe')).body.tenant.id).toBe(tenants.b)

  await browser.call('signOut')
  expect((await browser.call('getMe')).status).toBe(401)
  await browser.call('switchCell', { body: { cell: 'a' } })
  expect((await browser.call('getMe')).body.tenant.id).toBe(tenants.a)
  await browser.call('signOut')
  expect(Array.from(browser.cookies.keys())).toEqual([])
})

test('without a session in the other cell, or with one that names another, there is nothing to switch to', async () => {
  const browser = await signInTo('a')
  const current = browser.cookies.get('vidimus_session') ?? ''
  for (const kept of [undefined, current, 'x'.repeat(44)]) {
    if (kept !== undefined) browser.cookies.set('vidimus_session_b', kept)
    const { status } = await browser.call('switchCell', { body: { cell: 'b' } })
    expect([kept, status, browser.cookies.get('vidimus_session')]).toEqual([kept, 401, current])
  }
})

test('the identity provider leads back to the cell that was asked, which says if the member may be elsewhere', async () => {
  const joining = open()
  const { body: invited } = await joining.call('acceptWithOidc', {
    body: { token: await invite('b', 'kim@example.com'), name: 'Kim' },
  })
  await signInAtProvider(joining, invited.location, 'kim')
  expect((await joining.call('getMe')).body).toMatchObject({ tenant: { id: tenants.b }, cell: 'b' })

  const browser = open()
  const ask = async (cell: CellName) =>
    (await browser.call('startOidcSignIn', { query: { cell }, body: {} })).body.location
  const elsewhere = await signInAtProvider(browser, await ask('a'), 'kim')
  expect(elsewhere.headers.get('location')).toBe('/dashboard/sign-in?error=sign_in_failed&elsewhere=maybe')
  await signInAtProvider(browser, await ask('b'), 'kim')
  expect((await browser.call('getMe')).body.tenant.id).toBe(tenants.b)
})

function open(): Browser {
  return openBrowser({ address: fixture.address, ctx: fixture.cells.a.ctx })
}

async function signInTo(cell: CellName): Promise<Browser> {
  const { ctx } = fixture.cells[cell]
  return signIn(
    { address: fixture.address, ctx },
    { tenant_id: tenants[cell], email: `${crypto.randomUUID()}@example.com` },
  )
}

async function invite(cell: CellName, email = `${crypto.randomUUID()}@example.com`): Promise<string> {
  const by = { kind: 'operator', tenant_id: tenants[cell] } as const
  return tokenFromLink((await inviteMember(fixture.cells[cell].ctx, { by, email, role: 'owner' })).link)
}

/** Accepts an invitation of a cell, with a new passkey. */
async function acceptInvitation(browser: Browser, cell: CellName) {
  const passkey = softwareAuthenticator(browser.origin)
  const token = await invite(cell)
  const { body } = await browser.call('startPasskeyOfInvitation', { body: { token, name: 'Marta' } })
  const response = passkey.create(body.options)
  const reply = await browser.call('acceptWithPasskey', { body: { token, name: 'Marta', response } })
  expect(reply.status).toBe(200)
  return { passkey, handle: String(body.options.user.id) }
}

async function join(cell: CellName) {
  return acceptInvitation(open(), cell)
}

async function offer(browser: Browser, cell: CellName): Promise<{ challenge: string; rpId: string }> {
  return (await browser.call('startPasskeySignIn', { query: { cell } })).body.options
}

/** As the sign-in page joins the challenges of all cells. */
async function joinedOptions(browser: Browser): Promise<{ challenge: string; rpId: string }> {
  const offers = await Promise.all([offer(browser, 'a'), offer(browser, 'b')])
  const bytes = offers.map(({ challenge }) => Buffer.from(challenge, 'base64url'))
  return { ...offers[0], challenge: Buffer.concat(bytes).toString('base64url') }
}

/** A discoverable passkey says whose it is. */
function withHandle(response: Record<string, unknown>, userHandle: string): Record<string, unknown> {
  return { ...response, response: { ...(response['response'] as object), userHandle } }
}
