import type { ConformanceCheck } from '../check.ts'
import { assertThat, assertRefused, assertEqual, assertStatus } from '../expect.ts'
import { registerDevice } from '../expected-shapes.ts'

const protectedRoutes = [
  ['POST', '/v1/verifications'],
  ['GET', '/v1/verifications'],
  ['GET', '/v1/verifications/vs_x'],
  ['DELETE', '/v1/verifications/vs_x'],
  ['POST', '/v1/verifications/vs_x/redeem'],
  ['GET', '/v1/usage'],
  ['POST', '/v1/devices'],
  ['GET', '/v1/devices'],
  ['DELETE', '/v1/devices/00000000-0000-4000-8000-000000000000'],
] as const

export const authenticationChecks: readonly ConformanceCheck[] = [
  {
    ids: ['AUTH-1', 'AUTH-3', 'AUTH-11'],
    title: 'missing, malformed and unknown keys get the same refusal on every route',
    async run({ call, key }) {
      const messages = new Set<string>()
      for (const [method, path] of protectedRoutes) {
        const wrong = [null, 'x', `${key}x`, key.slice(0, -4), 'vk_test_0', '']
        for (const each of wrong) {
          const response = await call(method, path, { key: each })
          assertRefused(response, 401, 'invalid_api_key')
          assertEqual(response.headers.get('www-authenticate')?.split(' ')[0], 'Bearer', 'WWW-Authenticate')
          messages.add(response.body.error.message)
        }
        assertRefused(
          await call(method, path, { key: null, headers: { authorization: `Basic ${key}` } }),
          401,
          'invalid_api_key',
        )
      }
      assertEqual(messages.size, 1, 'the number of different messages')
    },
  },
  {
    ids: ['AUTH-6', 'AUTH-7'],
    title: 'a key without the scope gets 403, and the message names the scope',
    needs: ['read_key'],
    async run({ call, read_key: key }) {
      const needed = {
        'POST /v1/verifications': 'verifications:create',
        'DELETE /v1/verifications/vs_x': 'verifications:delete',
        'POST /v1/devices': 'devices:manage',
        'GET /v1/devices': 'devices:manage',
        'DELETE /v1/devices/00000000-0000-4000-8000-000000000000': 'devices:manage',
      }
      for (const [route, scope] of Object.entries(needed)) {
        const [method = '', path = ''] = route.split(' ')
        const response = await call(method, path, { key })
        assertRefused(response, 403, 'insufficient_scope')
        assertThat(response.body.error.message.includes(scope), `the message should name ${scope}`)
      }
      for (const path of ['/v1/verifications', '/v1/usage'])
        assertStatus(await call('GET', path, { key }), 200)
    },
  },
  {
    ids: ['AUTH-8'],
    title: 'authentication is checked first, then the scope, then the body',
    needs: ['read_key'],
    async run({ call, read_key }) {
      for (const raw of ['{', '[]', '"x"', 'x'.repeat(300_000)]) {
        assertRefused(
          await call('POST', '/v1/verifications', { key: 'vk_test_0', raw }),
          401,
          'invalid_api_key',
        )
        assertRefused(
          await call('POST', '/v1/verifications', { key: read_key, raw }),
          403,
          'insufficient_scope',
        )
        assertRefused(await call('POST', '/v1/verifications', { raw }), 400, 'invalid_request')
      }
      const headers = { 'content-type': 'text/plain' }
      assertRefused(
        await call('POST', '/v1/verifications', { key: read_key, raw: 'x', headers }),
        403,
        'insufficient_scope',
      )
    },
  },
  {
    ids: ['READ-4', 'REDEEM-2', 'DEV-3', 'DEV-4'],
    title: "another tenant's sessions and devices are not found",
    needs: ['other_key'],
    async run(target) {
      const { call, create, other_key: key } = target
      const { id } = (await create()).body
      const foreign = await call('GET', `/v1/verifications/${id}`, { key })
      assertRefused(foreign, 404, 'session_not_found')
      const unknown = await call('GET', `/v1/verifications/${id.slice(0, -4)}AAAA`, { key })
      assertEqual(unknown.body, foreign.body, 'the response to an unknown id')
      assertRefused(await call('DELETE', `/v1/verifications/${id}`, { key }), 404, 'session_not_found')
      const body = { response_code: 'x'.repeat(32) }
      assertRefused(
        await call('POST', `/v1/verifications/${id}/redeem`, { key, body }),
        404,
        'invalid_response_code',
      )
      const { device } = await registerDevice(target)
      assertEqual(
        (await call('DELETE', `/v1/devices/${device.id}`, { key })).status,
        404,
        "the status of revoking another tenant's device",
      )
      for (const path of ['/v1/verifications?limit=100', '/v1/devices']) {
        const { text } = await call('GET', path, { key })
        assertThat(
          !text.includes(id) && !text.includes(device.id),
          "a list should contain only the tenant's own",
        )
      }
      assertEqual(
        (await call('GET', `/v1/verifications/${id}`)).status,
        200,
        'the status of reading it with its own key',
      )
    },
  },
  {
    ids: ['AUTH-9'],
    title: 'test and live are separate',
    needs: ['live_key'],
    async run({ call, create, live_key: key }) {
      const test = (await create()).body.id
      const live = await create({}, { key })
      assertStatus(live, 201)
      assertRefused(await call('GET', `/v1/verifications/${test}`, { key }), 404, 'session_not_found')
      assertRefused(await call('GET', `/v1/verifications/${live.body.id}`), 404, 'session_not_found')
    },
  },
  {
    ids: ['AUTH-4'],
    title: 'an expired key is 401 api_key_expired',
    needs: ['expired_key'],
    async run({ call, expired_key: key }) {
      for (const [method, path] of protectedRoutes)
        assertRefused(await call(method, path, { key }), 401, 'api_key_expired')
    },
  },
  {
    ids: ['AUTH-13'],
    title: 'the status route, the wallet routes and enrolment need no key and ignore one',
    async run({ call, create }) {
      const { id } = (await create()).body
      for (const key of [null, 'vk_test_0']) {
        assertEqual(
          (await call('GET', `/v1/verifications/${id}/status`, { key })).status,
          200,
          'the HTTP status of the status route',
        )
        assertEqual(
          (await call('GET', `/wallet/request/${id}`, { key })).status,
          200,
          'the HTTP status of the request object',
        )
        const body = { pairing_code: 'VD-0000-0000' }
        assertEqual(
          (await call('POST', '/v1/devices/enroll', { key, body })).status,
          400,
          'the HTTP status for a wrong pairing code',
        )
      }
    },
  },
]
