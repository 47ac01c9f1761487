import { afterAll, beforeAll, expect, test } from 'vitest'
import { setClockOffset } from '../../../../test/database/clock.ts'
import { openCookieJar } from '../../../../test/openid/cookie-jar.ts'
import { callback, registerSite, type Site } from '../../../../test/openid/site.ts'
import { startService, type Service } from '../../../../test/service.ts'
import { getClient } from './list-clients.ts'
import { problemPause_seconds, recordProblem } from './record-problem.ts'
import { lockClient } from './store.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const readProblem = async ({ client_id, merchant: { tenant_id } }: Site) =>
  (await getClient(service.ctx, { tenant_id, client_id })).last_problem

/** The next problem is noted after a pause. */
let seconds = 0
const pass = async () => {
  seconds += problemPause_seconds + 1
  await setClockOffset(service.ctx.db, `${seconds} seconds`)
}

test('a client shows why the last request was refused, at both endpoints, until one succeeds', async () => {
  const site = await registerSite(service)
  const other = await registerSite(service, { merchant: site.merchant })
  const authorize = (changed: Record<string, string | undefined>) =>
    site.authorize(openCookieJar(service), site.request(changed).params)
  expect(await readProblem(site)).toBeUndefined()
  const { code, verifier } = await site.obtainCode()
  const right = { code, code_verifier: verifier }
  for (const [cause, words] of [
    [() => authorize({ redirect_uri: `${callback}/` }), `Edit: ${callback}/`],
    [() => authorize({ code_challenge: undefined }), 'Switch PKCE on'],
    [() => authorize({ scope: 'openid vidimus:age_over_21' }), 'age_over_21'],
    [() => site.exchange({ ...right, client_secret: other.secret }), 'secret is wrong'],
    [() => site.exchange({ ...right, redirect_uri: `${callback}/` }), 'redirect_uri must be'],
    [() => site.exchange({ ...right, code: 'x' }), 'The code is wrong'],
  ] as const) {
    await pass()
    await cause()
    expect(await readProblem(site)).toEqual({
      at: expect.any(String),
      description: expect.stringContaining(words),
    })
  }
  // What is no mistake of the site's set-up is not noted.
  await pass()
  await authorize({ prompt: 'none' })
  expect((await readProblem(site))?.description).toContain('The code is wrong')
  expect(await readProblem(other)).toBeUndefined()
  expect((await site.exchange(right)).status).toBe(200)
  expect(await readProblem(site)).toBeUndefined()
})

test("nothing is noted for a client of another tenant, at either endpoint of one's own issuer", async () => {
  const [site, stranger] = [await registerSite(service), await registerSite(service)]
  const { client_id } = stranger
  await site.authorize(
    openCookieJar(service),
    site.request({ client_id, redirect_uri: `${callback}/` }).params,
  )
  await site.exchange({ code: 'x', code_verifier: 'x', client_id, client_secret: 'x' })
  expect(await readProblem(stranger)).toBeUndefined()
  // The same at its own issuer is noted.
  await stranger.exchange({ code: 'x', code_verifier: 'x', client_secret: 'x' })
  expect(await readProblem(stranger)).toBeDefined()
})

test('a problem is noted at most once a second, and not while the client is being changed', async () => {
  const site = await registerSite(service)
  const { tenant_id } = site.merchant
  const key = { tenant_id, id: site.client_id }
  const note = (message: string) => recordProblem(service.ctx, key, { code: 'invalid_request', message })
  await Promise.all(Array.from({ length: 20 }, (_, index) => note(`problem ${index}`)))
  const first = await readProblem(site)
  await note('later')
  expect(await readProblem(site)).toEqual(first)
  await pass()
  await service.ctx.db.transaction(async (tx) => {
    await lockClient(tx, key)
    await note('while it is changed')
  })
  expect(await readProblem(site)).toEqual(first)
  await note('later')
  expect((await readProblem(site))?.description).toBe('later')
})
