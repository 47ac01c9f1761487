import { randomUUID } from 'node:crypto'
import type { ConformanceCheck } from '../check.ts'
import { assertThat, assertRefused, assertEqual, assertStatus } from '../expect.ts'

export const creationChecks: readonly ConformanceCheck[] = [
  {
    ids: ['CREATE-2', 'CREATE-4'],
    title: 'POST /v1/verifications requires exactly one of template and query',
    async run({ create, call }) {
      const query = {
        credentials: [{ id: 'pid', format: 'dc+sd-jwt', meta: { vct_values: ['urn:eudi:pid:1'] } }],
      }
      const created = await create({ query })
      assertStatus(created, 201)
      assertEqual([created.body.query, created.body.template], [undefined, undefined], 'query and template')
      assertRefused(await create({ query, template: 'age_over_18' }), 400, 'invalid_request')
      assertRefused(await call('POST', '/v1/verifications', { body: {} }), 400, 'invalid_request')
      for (const wrong of [
        { credentials: [] },
        {},
        { credentials: ['x'] },
        { credentials: [{}], credential_sets: 'x' },
      ]) {
        assertRefused(await create({ query: wrong }), 400, 'invalid_request')
      }
    },
  },
  {
    ids: ['CREATE-6'],
    title: 'expires_at is exactly created_at plus ttl_seconds (default 300)',
    async run({ create }) {
      for (const [input, seconds] of [
        [{}, 300],
        [{ ttl_seconds: 60 }, 60],
        [{ ttl_seconds: 3600 }, 3600],
      ] as const) {
        const { body } = await create(input)
        assertEqual(
          Date.parse(body.expires_at) - Date.parse(body.created_at),
          seconds * 1000,
          'the lifetime in milliseconds',
        )
        // The fraction may be finer than milliseconds.
        assertEqual(body.expires_at.slice(19), body.created_at.slice(19), 'the fraction of expires_at')
      }
    },
  },
  {
    ids: ['CREATE-7', 'CREATE-15'],
    title: 'metadata maps strings to strings, and the message names unknown members',
    async run({ create }) {
      for (const metadata of [{ a: 1 }, { a: null }, { a: { b: 'c' } }, ['a'], 'a']) {
        assertRefused(await create({ metadata }), 400, 'invalid_request')
      }
      const unknown = await create({ colour: 'red' })
      assertRefused(unknown, 400, 'invalid_request')
      assertThat(unknown.body.error.message.includes('colour'), 'the message should name the member colour')
    },
  },
  {
    ids: ['CREATE-9', 'READ-8'],
    title: 'webhook_url must be a public address, and is never returned',
    async run({ create, call }) {
      // Not 127.0.0.1: the operator may have allowed it for this suite's receiver.
      for (const url of [
        'http://127.0.0.2/',
        'http://10.0.0.1/',
        'http://169.254.169.254/',
        'http://[::1]/',
        'http://[fe80::1]/',
      ]) {
        assertRefused(await create({ webhook_url: url }), 422, 'invalid_webhook_url')
      }
      assertRefused(await create({ webhook_url: 'no address' }), 400, 'invalid_request')
      const created = await create({ webhook_url: 'https://hooks.example.com/x' })
      assertStatus(created, 201)
      const read = await call('GET', `/v1/verifications/${created.body.id}`)
      assertEqual([created.body.webhook_url, read.body.webhook_url], [undefined, undefined], 'webhook_url')
    },
  },
  {
    ids: ['IDEM-2'],
    title: 'the same idempotency key and body return the first response byte for byte, at no charge',
    async run({ create, call }) {
      const headers = { 'idempotency-key': randomUUID() }
      const first = await create({ purpose: 'Once' }, { headers })
      assertStatus(first, 201)
      assertEqual(first.headers.get('idempotent-replayed'), null, 'Idempotent-Replayed on the first response')
      const used = (await call('GET', '/v1/usage')).body.verifications_created
      const again = await create({ purpose: 'Once' }, { headers })
      assertStatus(again, 201)
      assertEqual(
        again.headers.get('idempotent-replayed'),
        'true',
        'Idempotent-Replayed on the second response',
      )
      assertEqual(again.text, first.text, 'the second response')
      assertEqual((await call('GET', '/v1/usage')).body.verifications_created, used, 'the usage')
    },
  },
  {
    ids: ['IDEM-4', 'IDEM-6'],
    title: 'the same key with another body is 422; a refused request does not use up the key',
    async run({ create }) {
      const headers = { 'idempotency-key': randomUUID() }
      assertRefused(await create({ template: 'no_such_template' }, { headers }), 422, 'unknown_template')
      assertStatus(await create({}, { headers }), 201)
      assertRefused(await create({ purpose: 'Another' }, { headers }), 422, 'idempotency_key_reused')
      assertRefused(
        await create({ template: 'no_such_template' }, { headers }),
        422,
        'idempotency_key_reused',
      )
    },
  },
  {
    ids: ['IDEM-3', 'IDEM-8'],
    title: 'of many concurrent requests with one key, one creates; the others get a 409 or the replay',
    async run({ create }) {
      const headers = { 'idempotency-key': randomUUID() }
      const responses = await Promise.all(Array.from({ length: 8 }, () => create({}, { headers })))
      const created = responses.filter(({ status }) => status === 201)
      assertThat(created.length >= 1, 'at least one request should succeed')
      assertEqual(new Set(created.map(({ body }) => body.id)).size, 1, 'the number of created sessions')
      assertEqual(
        created.filter(({ headers: each }) => each.get('idempotent-replayed') === null).length,
        1,
        'the number of responses that are not replays',
      )
      for (const response of responses.filter(({ status }) => status !== 201)) {
        assertRefused(response, 409, 'idempotency_key_in_flight')
        assertThat(Number(response.headers.get('retry-after')) > 0, 'a 409 should have Retry-After')
      }
    },
  },
]
