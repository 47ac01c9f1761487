import type { Check } from '../check.ts'
import { dateTime, matches, members, must, refused, same, succeeded } from '../expect.ts'
import { deviceMembers, pairDevice, registerDevice } from '../shapes.ts'

const pairMembers = [
  'access_token',
  'refresh_token',
  'token_type',
  'expires_in',
  'refresh_expires_in',
  'device',
] as const

export const devices: readonly Check[] = [
  {
    ids: 'ENROLL-1, TOKEN-1',
    title: 'POST /v1/devices/enroll forgives case and dashes, once, and gives a token pair',
    async run(world) {
      const { device, pairing_code } = await registerDevice(world)
      const enroll = (code: string) =>
        world.call('POST', '/v1/devices/enroll', { key: null, body: { pairing_code: code } })
      const paired = await enroll(pairing_code.toLowerCase().replaceAll('-', ''))
      succeeded(paired, 200)
      members(paired.body, pairMembers)
      members(paired.body.device, deviceMembers.required, deviceMembers.optional)
      same(
        [paired.body.device.id, paired.body.device.status],
        [device.id, 'active'],
        'the id and status of the device',
      )
      matches(paired.body.device.enrolled_at, dateTime, 'enrolled_at')
      matches(paired.body.access_token, /^vd_/, 'access_token')
      matches(paired.body.refresh_token, /^vdr_/, 'refresh_token')
      same(paired.body.token_type, 'Bearer', 'token_type')
      must(paired.body.expires_in > 0 && paired.body.refresh_expires_in > 0, 'both lives should be positive')

      const spent = await enroll(pairing_code)
      same(spent.status, 400, 'the status of a spent code')
      const wrong = await enroll('VD-0000-0000')
      same(
        [wrong.status, wrong.body],
        [spent.status, spent.body],
        'the answer to a wrong code, beside that to a spent one',
      )
    },
  },
  {
    ids: 'ENROLL-3',
    title: 'of simultaneous claims of one code exactly one succeeds',
    async run(world) {
      const { pairing_code } = await registerDevice(world)
      const answers = await Promise.all(
        [1, 2, 3, 4].map(() =>
          world.call('POST', '/v1/devices/enroll', { key: null, body: { pairing_code } }),
        ),
      )
      const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
      same(statuses, [200, 400, 400, 400], 'the statuses')
    },
  },
  {
    ids: 'TOKEN-1',
    title: 'POST /v1/devices/token gives a new pair',
    async run(world) {
      const first = await pairDevice(world)
      const body = { refresh_token: first.refresh_token }
      const second = await world.call('POST', '/v1/devices/token', { key: null, body })
      succeeded(second, 200)
      members(second.body, pairMembers)
      must(second.body.refresh_token !== first.refresh_token, 'the refresh token should be a new one')
      succeeded(await world.create({}, { key: second.body.access_token }), 201)
      same(
        (await world.call('POST', '/v1/devices/token', { key: null, body: { refresh_token: 'vdr_x' } }))
          .status,
        400,
        'a made-up one',
      )
    },
  },
  {
    ids: 'DEV-3',
    title: 'GET /v1/devices lists newest first',
    async run(world) {
      const older = await registerDevice(world)
      const newer = await registerDevice(world)
      const { body } = await world.call('GET', '/v1/devices')
      members(body, ['data'])
      const ids = body.data.map(({ id }: { id: string }) => id)
      same(ids.slice(0, 2), [newer.device.id, older.device.id], 'the newest two')
      must(
        !JSON.stringify(body).includes(newer.pairing_code),
        'the pairing code should appear at registration only',
      )
    },
  },
  {
    ids: 'TOKEN-4, TOKEN-5',
    title: 'a device uses its own templates and reads its own sessions, and nothing else',
    async run(world) {
      const { call, create } = world
      const { access_token: key } = await pairDevice(world)
      const own = await create({}, { key })
      succeeded(own, 201)
      same(
        (await call('GET', `/v1/verifications/${own.body.id}`, { key })).status,
        200,
        'reading its own session',
      )
      const other = await create({ template: 'age_over_21' }, { key })
      refused(other, 403, 'insufficient_scope')
      refused(await create({ query: { credentials: [{}] } }, { key }), 403, 'insufficient_scope')
      const foreign = (await create()).body.id
      refused(await call('GET', `/v1/verifications/${foreign}`, { key }), 404, 'session_not_found')
      refused(await call('DELETE', `/v1/verifications/${own.body.id}`, { key }), 403, 'insufficient_scope')
      refused(await call('GET', '/v1/devices', { key }), 403, 'insufficient_scope')
      refused(await call('GET', '/v1/usage', { key }), 403, 'insufficient_scope')
    },
  },
]
