import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAuditLog } from '../../../../test/audit/audit.ts'
import { setClockOffset } from '../../../../test/database/clock.ts'
import { openBrowser, signIn, type SignedInBrowser } from '../../../../test/sign-in/browser.ts'
import { softwareAuthenticator } from '../../../../test/sign-in/authenticator.ts'
import { startService, type Merchant, type Service } from '../../../../test/service.ts'
import { maxFailuresInAudit } from './record-failed-sign-in.ts'

let service: Service
let merchant: Merchant
let member: SignedInBrowser
const lines: Record<string, unknown>[] = []
beforeAll(async () => {
  service = await startService({
    environment: { TRUSTED_PROXIES: '127.0.0.0/8', LOG_LEVEL: 'info', RATE_LIMITS: '' },
    onLog: (line) => void lines.push(JSON.parse(line)),
  })
  merchant = await service.tenant()
  member = await signIn(service, merchant)
})
afterAll(() => service[Symbol.asyncDispose]())

/** Sends the response that a passkey gave to an earlier challenge, from this address. */
async function failSignIn(address: string, passkey = member.passkey): Promise<number> {
  const browser = openBrowser(service)
  const { body } = await browser.call('startPasskeySignIn')
  const options = { ...body.options, challenge: Buffer.alloc(32, 1).toString('base64url') }
  const { status } = await browser.call('finishPasskeySignIn', {
    body: { response: passkey.get(options) },
    headers: { 'x-forwarded-for': address },
  })
  return status
}

const failuresInAudit = async () =>
  (await readAuditLog(service.ctx, merchant.tenant_id)).filter(
    ({ action }) => action === 'member.sign_in_failed',
  )
const failuresInLog = () => lines.filter(({ message }) => message === 'sign-in failed')

test('a failed sign-in is a line of the log with method and address, and an audit entry if the member is known', async () => {
  expect(await failSignIn('203.0.113.1')).toBe(401)
  const stranger = softwareAuthenticator(member.origin)
  stranger.create({ ...(await member.call('startPasskey')).body.options })
  expect(await failSignIn('203.0.113.2', stranger)).toBe(401)

  expect(failuresInLog()).toMatchObject([
    { level: 'warn', method: 'passkey', ip: '203.0.113.1', code: 'sign_in_failed' },
    { level: 'warn', method: 'passkey', ip: '203.0.113.2', code: 'sign_in_failed' },
  ])
  const { id } = (await member.call('getMe')).body.member
  expect(await failuresInAudit()).toMatchObject([
    { actor: 'service', subject: id, detail: { method: 'passkey' } },
  ])
})

test('an attacker fills neither: an address is refused before its line, and a member has few entries an hour', async () => {
  const before = { lines: failuresInLog().length, entries: (await failuresInAudit()).length }
  const attempts = 40
  const statuses: number[] = []
  for (let count = 0; count < attempts; count += 1) statuses.push(await failSignIn('203.0.113.3'))
  // The burst of an address.
  expect(statuses.filter((status) => status === 401)).toHaveLength(30)
  expect(statuses.filter((status) => status === 429)).toHaveLength(10)
  expect(failuresInLog()).toHaveLength(before.lines + 30)
  expect(await failuresInAudit()).toHaveLength(maxFailuresInAudit.burst)

  // From other addresses there is a line each, and still no entry.
  for (let count = 0; count < 5; count += 1) expect(await failSignIn(`198.51.100.${count}`)).toBe(401)
  expect(failuresInLog()).toHaveLength(before.lines + 35)
  expect(await failuresInAudit()).toHaveLength(maxFailuresInAudit.burst)

  await setClockOffset(service.ctx.db, '30 minutes')
  for (let count = 10; count < 20; count += 1) await failSignIn(`198.51.100.${count}`)
  expect(await failuresInAudit()).toHaveLength(maxFailuresInAudit.burst + maxFailuresInAudit.per_hour / 2)
})

test('the log line of a request names why it was refused: a wrong key, and no key', async () => {
  const wrong = `vk_test_${'A'.repeat(32)}`
  await service.anonymous.get('/v1/verifications', { headers: { authorization: `Bearer ${wrong}` } })
  await service.anonymous.get('/v1/verifications')
  await service.anonymous.get('/openapi.json')
  const requests = lines.filter(({ message }) => message === 'request').slice(-3)
  expect(requests).toMatchObject([
    { route: '/v1/verifications', status: 401, code: 'invalid_api_key' },
    { route: '/v1/verifications', status: 401, code: 'invalid_api_key' },
    { route: '/openapi.json', status: 200 },
  ])
  expect(requests[2]).not.toHaveProperty('code')
  expect(JSON.stringify(lines)).not.toContain(wrong)
})
