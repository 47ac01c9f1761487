import type { ConformanceCheck } from '../check.ts'
import { assertMembers, assertThat, assertRefused, assertEqual, assertStatus } from '../expect.ts'
import { verificationMembers } from '../expected-shapes.ts'

type ListedVerification = { id: string; created_at: string }

export const readChecks: readonly ConformanceCheck[] = [
  {
    ids: ['READ-1', 'READ-2', 'READ-3'],
    title: 'GET /v1/verifications lists newest first, and paging with before returns every session once',
    async run({ create, call }) {
      const created: string[] = []
      for (let count = 0; count < 5; count += 1) created.push((await create()).body.id)
      const seen: ListedVerification[] = []
      let before = ''
      while (seen.length < 5) {
        const { body, status } = await call('GET', `/v1/verifications?limit=2${before}`)
        assertEqual(status, 200, 'the status')
        assertMembers(body, ['data'])
        const page: ListedVerification[] = body.data
        assertThat(page.length > 0 && page.length <= 2, 'a page should have at most limit sessions')
        for (const each of page)
          assertMembers(each, verificationMembers.required, verificationMembers.optional)
        seen.push(...page)
        before = `&before=${encodeURIComponent(page.at(-1)?.created_at ?? '')}`
      }
      assertEqual(
        seen.slice(0, 5).map(({ id }) => id),
        created.toReversed(),
        'the newest five',
      )
      const whole = (await call('GET', '/v1/verifications')).body.data
      assertThat(whole.length <= 20, 'a page should have at most 20 sessions by default')
    },
  },
  {
    ids: ['READ-1'],
    title: 'GET /v1/verifications/{id} returns what was created',
    async run({ create, call }) {
      const created = await create({ purpose: 'Read me' })
      const read = await call('GET', `/v1/verifications/${created.body.id}`)
      assertEqual(read.body, created.body, 'the session')
    },
  },
  {
    ids: ['STAT-1'],
    title: 'GET /v1/verifications/{id}/status needs no key and returns only the status',
    async run({ create, call, decline }) {
      const { body } = await create()
      const path = `/v1/verifications/${body.id}/status`
      const pending = await call('GET', path, { key: null })
      assertStatus(pending, 200)
      assertEqual(pending.body, { id: body.id, status: 'pending' }, 'the response')
      await decline(body.wallet_uri)
      assertEqual(
        (await call('GET', path, { key: null })).body,
        { id: body.id, status: 'failed' },
        'the response after the failure',
      )
    },
  },
  {
    ids: ['REDEEM-1', 'REDEEM-2', 'REDEEM-3', 'WRES-2'],
    title: 'POST /v1/verifications/{id}/redeem accepts the code from the redirect once',
    async run({ create, call, decline }) {
      const { body } = await create({ redirect_url: 'https://shop.example/done?order=1' })
      const { redirect_uri } = JSON.parse((await decline(body.wallet_uri)).body)
      assertThat(
        redirect_uri.startsWith('https://shop.example/done?order=1#'),
        'redirect_uri should be redirect_url with a fragment',
      )
      const response_code =
        new URLSearchParams(new URL(redirect_uri).hash.slice(1)).get('response_code') ?? ''
      assertThat(response_code.length >= 16, 'response_code should have at least 16 characters')
      const redeem = (code: unknown) =>
        call('POST', `/v1/verifications/${body.id}/redeem`, { body: { response_code: code } })
      assertRefused(await redeem('wrong-wrong-wrong-wrong'), 404, 'invalid_response_code')
      assertRefused(await redeem('short'), 400, 'invalid_request')
      const responses = await Promise.all([1, 2, 3, 4].map(() => redeem(response_code)))
      assertEqual(
        responses.filter(({ status }) => status === 200).length,
        1,
        'the number of successful redemptions',
      )
      assertEqual(
        responses.find(({ status }) => status === 200)?.body.id,
        body.id,
        'the id of the redeemed session',
      )
      assertRefused(await redeem(response_code), 404, 'invalid_response_code')
    },
  },
  {
    ids: ['WREQ-1', 'WREQ-3', 'WREQ-6'],
    title: 'GET /wallet/request/{sessionId} returns a signed request object with the purpose',
    async run({ create, call }) {
      const { body } = await create({ purpose: 'Age check at the till' })
      const { pathname } = new URL(body.request_uri)
      const request = await call('GET', pathname, { key: null })
      assertStatus(request, 200)
      assertEqual(request.headers.get('content-type'), 'application/oauth-authz-req+jwt', 'the content type')
      assertThat(
        (request.headers.get('cache-control') ?? '').includes('no-store'),
        'Cache-Control of a request object should be no-store',
      )
      const [header, claims] = request.text
        .split('.')
        .slice(0, 2)
        .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
      assertEqual(header.typ, 'oauth-authz-req+jwt', 'typ')
      assertEqual(claims.response_mode, 'direct_post.jwt', 'response_mode')
      assertThat(claims.nonce.length >= 22, 'nonce should have at least 128 random bits')
      assertThat(
        !JSON.stringify(body).includes(claims.nonce),
        'the nonce should not be visible to the merchant',
      )
      assertThat(
        JSON.stringify(claims.dcql_query).includes('Age check at the till'),
        'the purpose should be in dcql_query',
      )
      assertRefused(await call('GET', `${pathname}x`, { key: null }), 404, 'session_not_found')
    },
  },
]
