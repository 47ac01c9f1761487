import { isLanguage, languages, texts } from '@vidimus/holder-texts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { openWallet } from '../../../test/wallet.ts'
import { setHolderPage } from '../../accounts/index.ts'
import { codeAccepted_seconds, codeShown_seconds, readCode } from './moving-code.ts'

let service: Service
let merchant: Merchant
beforeAll(async () => {
  service = await startService()
  merchant = await service.tenant({ daily_quota: 10_000 })
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  await setHolderPage(service.ctx, { by, moving_code: true, age_app: true })
})
afterAll(() => service[Symbol.asyncDispose]())

/** A verification with the code that its page shows now. */
async function showCode(): Promise<{ id: string; uri: string; path: string }> {
  const { id } = (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
  const { screen_uri: uri } = (await service.anonymous.get(`/verify/${id}/session`)).body
  const request_uri = new URL(uri).searchParams.get('request_uri') ?? ''
  return { id, uri, path: request_uri.slice(service.ctx.config.BASE_URL.length) }
}

const code = (path: string) => path.split('/').at(-1) ?? ''

test('[CODE-1] it leads a wallet to the request of the screen, and does not contain the id', async () => {
  const { id, uri, path } = await showCode()
  const wallet = await openWallet(service.ctx, service.address)

  expect(path).toMatch(/^\/wallet\/code\/vc_0[A-Za-z0-9_-]+$/)
  expect(decodeURIComponent(uri)).not.toContain(id)
  expect(readCode(service.ctx, code(path)).id).toBe(id)
  expect(await wallet.respond(uri)).toMatchObject({ sent: true, http_status: 200 })
  expect((await merchant.get(`/v1/verifications/${id}`)).body.status).toBe('completed')
})

test('the sandbox wallet reads it too', async () => {
  const { uri } = await showCode()
  const { status, body } = await service.anonymous.post('/sandbox/responses', {
    wallet_uri: uri,
    persona: 'adult',
  })

  expect([status, body.status]).toEqual([200, 'completed'])
})

test('the age app is not offered by QR code, which would contain the id', async () => {
  const { id } = await showCode()
  const session = (await service.anonymous.get(`/verify/${id}/session`)).body

  expect(session).toMatchObject({ moving_code: true, age_app_uri: expect.stringContaining('av://') })
  expect(session).not.toHaveProperty('age_app_screen_uri')
})

describe('time', () => {
  test.each([
    ['until a minute after it left the screen', codeShown_seconds + codeAccepted_seconds - 2, 200],
    ['and not later, also not as a picture', codeShown_seconds + codeAccepted_seconds + 2, 410],
    ['and not two minutes later', 120, 410],
  ])('[CODE-1] accepted %s', async (_, seconds, status) => {
    const { path } = await showCode()
    await setClockOffset(service.ctx.db, `${seconds} seconds`)
    try {
      const fetched = await service.anonymous.get(path)
      expect(fetched.status).toBe(status)
      expect(fetched.text.includes('Scan the one that is on the screen')).toBe(status === 410)
    } finally {
      await setClockOffset(service.ctx.db, '0 seconds')
    }
  })

  test.each(Object.keys(languages).filter(isLanguage))(
    'a browser that opens an old code gets a page that says why, in %s; a wallet gets JSON',
    async (language) => {
      const { path } = await showCode()
      const open = (accept: string) =>
        service.anonymous.get(path, { headers: { accept, 'accept-language': language } })
      expect((await open('text/html')).status).toBe(200)
      await setClockOffset(service.ctx.db, '120 seconds')
      try {
        const page = await open('text/html,application/xhtml+xml,*/*;q=0.8')
        expect([page.status, page.headers.get('content-type')]).toEqual([410, 'text/html; charset=utf-8'])
        expect(page.headers.get('content-security-policy')).toContain("form-action 'none'")
        const { old_code_title, old_code_text } = texts(language).page
        for (const text of [`<html lang="${language}">`, `<h1>${old_code_title}</h1>`, old_code_text])
          expect(page.text).toContain(text)
        for (const accept of ['*/*', 'application/oauth-authz-req+jwt, application/json']) {
          const { status, body } = await open(accept)
          expect([status, body.error.code]).toEqual([410, 'session_expired'])
        }
      } finally {
        await setClockOffset(service.ctx.db, '0 seconds')
      }
    },
  )

  test('[CODE-1] 200 pictures that are two minutes old are refused, and 200 slow wallets that fetch three times are not', async () => {
    const codes = await Promise.all(Array.from({ length: 200 }, showCode))
    const fetchAll = async (seconds: number) => {
      await setClockOffset(service.ctx.db, `${seconds} seconds`)
      const fetched = await Promise.all(codes.map(({ path }) => service.anonymous.get(path)))
      return new Map(
        [200, 410].map((status) => [status, fetched.filter((each) => each.status === status).length]),
      )
    }
    try {
      for (const seconds of [0, 25, 50]) expect((await fetchAll(seconds)).get(200)).toBe(200)
      expect((await fetchAll(120)).get(410)).toBe(200)
    } finally {
      await setClockOffset(service.ctx.db, '0 seconds')
    }
  })
})

test('a code that was changed or made up is unknown, whatever it is', async () => {
  const { path } = await showCode()
  const known = code(path)
  const changed = Array.from({ length: known.length - 4 }, (_, index) => {
    const at = index + 4
    return `${known.slice(0, at)}${known[at] === 'A' ? 'B' : 'A'}${known.slice(at + 1)}`
  })
  const others = [
    'vc_0',
    'vc_',
    'x',
    `vc_0${'A'.repeat(60)}`,
    known.slice(0, -1),
    `${known}A`,
    `${known}AAAA`,
  ]
  for (const each of [...changed, ...others]) {
    const fetched = await service.anonymous.get(`/wallet/code/${each}`)
    // The last character of base64url may have bits that nobody reads.
    const same = Buffer.from(each.slice(4), 'base64url').equals(Buffer.from(known.slice(4), 'base64url'))
    expect([each, fetched.status]).toEqual([each, same ? 200 : 404])
  }
})

test('a cancelled verification is over for its codes too', async () => {
  const { id, path } = await showCode()
  await service.anonymous.post(`/verify/${id}/cancel`)

  expect((await service.anonymous.get(path)).status).toBe(410)
})
