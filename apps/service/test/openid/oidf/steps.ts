import { expect } from 'vitest'
import { setClockOffset } from '../../database/clock.ts'
import { openCookieJar } from '../cookie-jar.ts'
import { checkErrorResponse, checkTokenError, checkUserinfo } from './conditions.ts'
import { exchange, makeRequest, runFlow, type Flow, type Provider } from './provider.ts'

type Changed = Record<string, string | undefined>

/** Sends a request that must come back with an error, and returns that. */
export async function requestError(
  provider: Provider,
  changed: Changed,
  browser = openCookieJar(provider.service),
): Promise<string> {
  const { params } = makeRequest(provider, { changed })
  const end = await provider.site.authorize(browser, params)
  if (!('returned' in end)) throw new Error(`The browser did not return: ${JSON.stringify(end)}`)
  return checkErrorResponse(end.returned, params, provider.site.issuer)
}

/** The browser is sent nowhere, and the page names the parameter. */
export async function expectPage(provider: Provider, changed: Changed): Promise<void> {
  const { params } = makeRequest(provider, { changed })
  const end = await provider.site.authorize(openCookieJar(provider.service), params)
  expect(end).toEqual({ status: 400, page: expect.stringContaining('redirect_uri is not registered for') })
}

/** The wallet is needed again although the same browser has just been here, and the second time is later. */
export async function expectSecondVerification(
  provider: Provider,
  first: Flow,
  changed: Changed,
): Promise<void> {
  const second = await atOffset(provider, '2 seconds', () =>
    runFlow(provider, { changed, browser: first.browser }),
  )
  expect(second.claims['verification']).not.toEqual(first.claims['verification'])
  expect(Number(second.claims['auth_time'])).toBeGreaterThan(Number(first.claims['auth_time']))
}

export async function callUserinfo(
  provider: Provider,
  call: (token: string) => ReturnType<Provider['call']>,
): Promise<string[]> {
  const { access_token, claims } = await runFlow(provider)
  checkUserinfo(await call(access_token), claims)
  return []
}

/** Uses a code again some time later. That is refused, and ends what the first use gave; the suite warns if it does not. */
export async function reuseCode(provider: Provider, after: string): Promise<string[]> {
  const { code, access_token } = await runFlow(provider)
  return atOffset(provider, after, async () => {
    expect((await provider.site.userinfo(access_token)).status).toBe(200)
    checkTokenError(await exchange(provider, { code }), 'invalid_grant')
    const { status } = await provider.site.userinfo(access_token)
    return status === 401 ? [] : [`the access token still works: ${status}`]
  })
}

/** A request object without a signature, which holds the whole request. */
export function unsignedRequest(provider: Provider): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none' })}.${part(Object.fromEntries(makeRequest(provider).params))}.`
}

/** Runs at a later time of the service's clock. */
async function atOffset<Result>(
  { service: { ctx } }: Provider,
  offset: string,
  run: () => Promise<Result>,
): Promise<Result> {
  await setClockOffset(ctx.db, offset)
  try {
    return await run()
  } finally {
    await setClockOffset(ctx.db, '0 seconds')
  }
}
