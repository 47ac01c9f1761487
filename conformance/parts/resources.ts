import type { Check } from '../check.ts'
import { date, dateTime, matches, members, must, same, succeeded } from '../expect.ts'
import { deviceMembers, registerDevice, verificationMembers } from '../shapes.ts'

export const resources: readonly Check[] = [
  {
    ids: 'GEN-2, GEN-3, CREATE-1',
    title: 'a verification has its members, and none that is null or unknown',
    async run({ create, call }) {
      const purpose = 'Conformance'
      const metadata = { order: 'A-1', Grüße: '🪪' }
      const created = await create({ purpose, metadata, redirect_url: 'https://shop.example/done' })
      succeeded(created, 201)
      const read = await call('GET', `/v1/verifications/${created.body.id}`)
      succeeded(read, 200)
      for (const { body } of [created, read]) {
        members(body, verificationMembers.required, verificationMembers.optional)
        same(body.status, 'pending', 'status')
        same(body.template, 'age_over_18', 'template')
        same(body.purpose, purpose, 'purpose')
        same(body.metadata, metadata, 'metadata')
        same(body.redirect_url, 'https://shop.example/done', 'redirect_url')
        matches(body.created_at, dateTime, 'created_at')
        matches(body.expires_at, dateTime, 'expires_at')
      }
      const plain = await create()
      members(plain.body, [
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
    ids: 'CREATE-12, CREATE-13',
    title: 'ids are long and differ; wallet_uri carries request_uri',
    async run({ create }) {
      const [one, two] = [(await create()).body, (await create()).body]
      must(one.id !== two.id, 'two sessions should not have one id')
      matches(one.id, /^[a-z]+_[\w-]{22,}$/, 'id')
      const uri = new URL(one.wallet_uri)
      same(uri.protocol, 'openid4vp:', 'the scheme of wallet_uri')
      same(uri.searchParams.get('request_uri'), one.request_uri, 'request_uri inside wallet_uri')
      must((uri.searchParams.get('client_id') ?? '') !== '', 'wallet_uri should have a client_id')
    },
  },
  {
    ids: 'USE-1, USE-2',
    title: 'usage has its five members, counts that agree, and at most 30 days',
    async run({ create, call }) {
      await create()
      const { body, status } = await call('GET', '/v1/usage')
      same(status, 200, 'the status')
      members(body, ['day', 'verifications_created', 'daily_quota', 'remaining', 'recent'])
      matches(body.day, date, 'day')
      const { verifications_created: used, daily_quota, remaining, recent } = body
      for (const count of [used, daily_quota, remaining])
        must(Number.isInteger(count) && count >= 0, 'counts should be whole')
      same(remaining, Math.max(0, daily_quota - used), 'remaining')
      must(recent.length >= 1 && recent.length <= 30, 'recent should have 1-30 days after a creation')
      for (const each of recent) members(each, ['day', 'verifications_created'])
      same(recent[0], { day: body.day, verifications_created: used }, 'the newest day of recent')
    },
  },
  {
    ids: 'DEV-1, DEV-2, DEV-7',
    title: 'a device has its members, and its pairing code the shape VD-XXXX-XXXX',
    async run(world) {
      const { device, pairing_code } = await registerDevice(world, { pairing_ttl_seconds: 60 })
      members(device, deviceMembers.required, deviceMembers.optional)
      same(device.status, 'pending', 'status')
      matches(device.id, /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/, 'id')
      matches(pairing_code, /^VD-[\dA-Z]{4}-[\dA-Z]{4}$/, 'pairing_code')
      const lives = Date.parse(device.pairing_expires_at) - Date.parse(device.created_at)
      same(lives, 60_000, 'pairing_expires_at less created_at, in milliseconds,')
    },
  },
]
