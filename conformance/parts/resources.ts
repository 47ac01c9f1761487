import type { ConformanceCheck } from '../check.ts'
import {
  date,
  dateTime,
  assertMatches,
  assertMembers,
  assertThat,
  assertEqual,
  assertStatus,
} from '../expect.ts'
import { deviceMembers, registerDevice, verificationMembers } from '../expected-shapes.ts'

export const resourceChecks: readonly ConformanceCheck[] = [
  {
    ids: ['GEN-2', 'GEN-3', 'CREATE-1'],
    title: 'a verification has the specified members, and none is null',
    async run({ create, call }) {
      const purpose = 'Conformance'
      const metadata = { order: 'A-1', Grüße: '🪪' }
      const created = await create({ purpose, metadata, redirect_url: 'https://shop.example/done' })
      assertStatus(created, 201)
      const read = await call('GET', `/v1/verifications/${created.body.id}`)
      assertStatus(read, 200)
      for (const { body } of [created, read]) {
        assertMembers(body, verificationMembers.required, verificationMembers.optional)
        assertEqual(body.status, 'pending', 'status')
        assertEqual(body.template, 'age_over_18', 'template')
        assertEqual(body.purpose, purpose, 'purpose')
        assertEqual(body.metadata, metadata, 'metadata')
        assertEqual(body.redirect_url, 'https://shop.example/done', 'redirect_url')
        assertMatches(body.created_at, dateTime, 'created_at')
        assertMatches(body.expires_at, dateTime, 'expires_at')
      }
      const plain = await create()
      assertMembers(plain.body, [
        'id',
        'status',
        'template',
        'wallet_uri',
        'request_uri',
        'created_at',
        'expires_at',
      ])
    },
  },
  {
    ids: ['CREATE-12', 'CREATE-13'],
    title: 'ids are long and unique; wallet_uri contains request_uri',
    async run({ create }) {
      const [one, two] = [(await create()).body, (await create()).body]
      assertThat(one.id !== two.id, 'two sessions should have different ids')
      assertMatches(one.id, /^[a-z]+_[\w-]{22,}$/, 'id')
      const uri = new URL(one.wallet_uri)
      assertEqual(uri.protocol, 'openid4vp:', 'the scheme of wallet_uri')
      assertEqual(uri.searchParams.get('request_uri'), one.request_uri, 'request_uri inside wallet_uri')
      assertThat((uri.searchParams.get('client_id') ?? '') !== '', 'wallet_uri should have a client_id')
    },
  },
  {
    ids: ['USE-1', 'USE-2'],
    title: 'usage has the specified members, consistent counts and at most 30 days',
    async run({ create, call }) {
      await create()
      const { body, status } = await call('GET', '/v1/usage')
      assertEqual(status, 200, 'the status')
      assertMembers(body, ['day', 'verifications_created', 'daily_quota', 'remaining', 'recent'])
      assertMatches(body.day, date, 'day')
      const { verifications_created: used, daily_quota, remaining, recent } = body
      for (const count of [used, daily_quota, remaining])
        assertThat(Number.isInteger(count) && count >= 0, 'counts should be whole numbers')
      assertEqual(remaining, Math.max(0, daily_quota - used), 'remaining')
      assertThat(recent.length >= 1 && recent.length <= 30, 'recent should have 1-30 days')
      for (const each of recent) assertMembers(each, ['day', 'verifications_created'])
      assertEqual(recent[0], { day: body.day, verifications_created: used }, 'the newest day of recent')
    },
  },
  {
    ids: ['DEV-1', 'DEV-2', 'DEV-7'],
    title: 'a device has the specified members, and its pairing code has the form VD-XXXX-XXXX',
    async run(target) {
      const { device, pairing_code } = await registerDevice(target, { pairing_ttl_seconds: 60 })
      assertMembers(device, deviceMembers.required, deviceMembers.optional)
      assertEqual(device.status, 'pending', 'status')
      assertMatches(device.id, /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/, 'id')
      assertMatches(pairing_code, /^VD-[\dA-Z]{4}-[\dA-Z]{4}$/, 'pairing_code')
      const lives = Date.parse(device.pairing_expires_at) - Date.parse(device.created_at)
      assertEqual(lives, 60_000, 'pairing_expires_at minus created_at, in milliseconds,')
    },
  },
]
