import { randomUUID } from 'node:crypto'
import type { ConformanceCheck } from '../check.ts'
import { assertThat, assertRefused, assertEqual } from '../expect.ts'

export const errorChecks: readonly ConformanceCheck[] = [
  {
    ids: ['GEN-5', 'GEN-6'],
    title: 'unknown routes and wrong methods are refused with the error envelope and a request id',
    async run({ call }) {
      const unknown = await call('GET', '/v1/nothing')
      assertRefused(unknown, 404, 'not_found')
      assertThat(
        (unknown.headers.get('x-request-id') ?? '') !== '',
        'every response should have X-Request-Id',
      )
      const wrong = await call('PUT', '/v1/verifications', { body: {} })
      assertRefused(wrong, 405, 'method_not_allowed')
      assertThat((wrong.headers.get('allow') ?? '').includes('POST'), 'a 405 should have Allow')
      const request_id = randomUUID()
      const named = await call('GET', '/v1/usage', { headers: { 'x-request-id': request_id } })
      assertEqual(
        named.headers.get('x-request-id'),
        request_id,
        'X-Request-Id, if the request has a well-formed one,',
      )
    },
  },
  {
    ids: ['GEN-5', 'GEN-10'],
    title: 'a malformed body is 400 invalid_request',
    async run({ call }) {
      const bodies = [
        '{',
        '',
        '"\\ud800"',
        '{"template":"a\\u0000b"}',
        '{"__proto__":{},"template":"age_over_18"}',
        '['.repeat(5000),
      ]
      for (const raw of bodies)
        assertRefused(await call('POST', '/v1/verifications', { raw }), 400, 'invalid_request')
      const headers = { 'content-type': 'text/plain' }
      assertRefused(await call('POST', '/v1/verifications', { raw: '{}', headers }), 400, 'invalid_request')
      assertRefused(
        await call('POST', '/v1/verifications', { raw: `{"purpose":"${'x'.repeat(300_000)}"}` }),
        400,
        'invalid_request',
      )
    },
  },
  {
    ids: ['CREATE-3', 'GEN-10'],
    title: 'an unknown template is 422, malformed ids are 404, and nothing is 500',
    async run({ create, call }) {
      assertRefused(await create({ template: 'no_such_template' }), 422, 'unknown_template')
      for (const id of ['x', '%00', '%FF', 'a'.repeat(500), '%F0%9F%AA%AA', "'--", 'vs_0']) {
        assertRefused(await call('GET', `/v1/verifications/${id}`), 404, 'session_not_found')
        assertRefused(await call('GET', `/wallet/request/${id}`, { key: null }), 404, 'session_not_found')
        assertEqual((await call('DELETE', `/v1/devices/${id}`)).status, 404, `the status of revoking ${id}`)
      }
    },
  },
  {
    ids: ['QUOTA-1', 'IDEM-11'],
    title: 'an exceeded quota is 429 quota_exceeded until midnight UTC, and a replay still works',
    needs: ['quota_key'],
    async run({ create, call, quota_key: key }) {
      const headers = { 'idempotency-key': `conformance-${new Date().toISOString().slice(0, 10)}` }
      const stored = await create({}, { key, headers })
      let response = await create({}, { key })
      for (let tries = 0; response.status === 201 && tries < 25; tries += 1)
        response = await create({}, { key })
      assertRefused(response, 429, 'quota_exceeded')
      const left = 86_400 - ((Date.now() / 1000) % 86_400)
      assertThat(
        Math.abs(Number(response.headers.get('retry-after')) - left) < 60,
        'Retry-After should be the seconds until midnight UTC',
      )
      assertEqual((await call('GET', '/v1/usage', { key })).body.remaining, 0, 'remaining')
      if (stored.status === 201)
        assertEqual((await create({}, { key, headers })).text, stored.text, 'the replay')
    },
  },
]
