import type { ConformanceCheck } from '../check.ts'
import {
  dateTime,
  assertMatches,
  assertMembers,
  assertThat,
  assertRefused,
  assertEqual,
  assertStatus,
} from '../expect.ts'
import { deviceMembers, pairDevice, registerDevice } from '../expected-shapes.ts'

const tokenPairMembers = [
  'access_token',
  'refresh_token',
  'token_type',
  'expires_in',
  'refresh_expires_in',
  'device',
] as const

export const deviceChecks: readonly ConformanceCheck[] = [
  {
    ids: ['ENROLL-1', 'TOKEN-1'],
    title: 'POST /v1/devices/enroll ignores case and dashes, works once and returns a token pair',
    async run(target) {
      const { device, pairing_code } = await registerDevice(target)
      const enroll = (code: string) =>
        target.call('POST', '/v1/devices/enroll', { key: null, body: { pairing_code: code } })
      const paired = await enroll(pairing_code.toLowerCase().replaceAll('-', ''))
      assertStatus(paired, 200)
      assertMembers(paired.body, tokenPairMembers)
      assertMembers(paired.body.device, deviceMembers.required, deviceMembers.optional)
      assertEqual(
        [paired.body.device.id, paired.body.device.status],
        [device.id, 'active'],
        'the id and status of the device',
      )
      assertMatches(paired.body.device.enrolled_at, dateTime, 'enrolled_at')
      assertMatches(paired.body.access_token, /^vd_/, 'access_token')
      assertMatches(paired.body.refresh_token, /^vdr_/, 'refresh_token')
      assertEqual(paired.body.token_type, 'Bearer', 'token_type')
      assertThat(
        paired.body.expires_in > 0 && paired.body.refresh_expires_in > 0,
        'expires_in and refresh_expires_in should be positive',
      )

      const spent = await enroll(pairing_code)
      assertEqual(spent.status, 400, 'the status of a spent code')
      const wrong = await enroll('VD-0000-0000')
      assertEqual(
        [wrong.status, wrong.body],
        [spent.status, spent.body],
        'the response to a wrong code, compared with a spent one,',
      )
    },
  },
  {
    ids: ['ENROLL-3'],
    title: 'of concurrent enrolments with one code, exactly one succeeds',
    async run(target) {
      const { pairing_code } = await registerDevice(target)
      const responses = await Promise.all(
        [1, 2, 3, 4].map(() =>
          target.call('POST', '/v1/devices/enroll', { key: null, body: { pairing_code } }),
        ),
      )
      const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b)
      assertEqual(statuses, [200, 400, 400, 400], 'the statuses')
    },
  },
  {
    ids: ['TOKEN-1'],
    title: 'POST /v1/devices/token returns a new token pair',
    async run(target) {
      const first = await pairDevice(target)
      const body = { refresh_token: first.refresh_token }
      const second = await target.call('POST', '/v1/devices/token', { key: null, body })
      assertStatus(second, 200)
      assertMembers(second.body, tokenPairMembers)
      assertThat(second.body.refresh_token !== first.refresh_token, 'the refresh token should change')
      assertStatus(await target.create({}, { key: second.body.access_token }), 201)
      assertEqual(
        (await target.call('POST', '/v1/devices/token', { key: null, body: { refresh_token: 'vdr_x' } }))
          .status,
        400,
        'the status for an invented refresh token',
      )
    },
  },
  {
    ids: ['DEV-3'],
    title: 'GET /v1/devices lists devices newest first',
    async run(target) {
      const older = await registerDevice(target)
      const newer = await registerDevice(target)
      const { body } = await target.call('GET', '/v1/devices')
      assertMembers(body, ['data'])
      const ids = body.data.map(({ id }: { id: string }) => id)
      assertEqual(ids.slice(0, 2), [newer.device.id, older.device.id], 'the newest two')
      assertThat(
        !JSON.stringify(body).includes(newer.pairing_code),
        'the pairing code should appear only at registration',
      )
    },
  },
  {
    ids: ['TOKEN-4', 'TOKEN-5'],
    title: 'a device can use its allowed templates and read its own sessions, and nothing else',
    async run(target) {
      const { call, create } = target
      const { access_token: key } = await pairDevice(target)
      const own = await create({}, { key })
      assertStatus(own, 201)
      assertEqual(
        (await call('GET', `/v1/verifications/${own.body.id}`, { key })).status,
        200,
        'the status of reading its own session',
      )
      const other = await create({ template: 'age_over_21' }, { key })
      assertRefused(other, 403, 'insufficient_scope')
      assertRefused(await create({ query: { credentials: [{}] } }, { key }), 403, 'insufficient_scope')
      const foreign = (await create()).body.id
      assertRefused(await call('GET', `/v1/verifications/${foreign}`, { key }), 404, 'session_not_found')
      assertRefused(
        await call('DELETE', `/v1/verifications/${own.body.id}`, { key }),
        403,
        'insufficient_scope',
      )
      assertRefused(await call('GET', '/v1/devices', { key }), 403, 'insufficient_scope')
      assertRefused(await call('GET', '/v1/usage', { key }), 403, 'insufficient_scope')
    },
  },
]
