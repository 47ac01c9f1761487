import type { ConformanceCheck } from '../check.ts'
import { assertRefused, assertEqual, assertStatus } from '../expect.ts'

export const limitChecks: readonly ConformanceCheck[] = [
  {
    ids: ['CREATE-3', 'CREATE-6', 'CREATE-8', 'CREATE-11'],
    title: 'the limits of a creation are enforced exactly',
    async run({ create }) {
      const good = [
        { ttl_seconds: 60 },
        { ttl_seconds: 3600 },
        { purpose: 'p' },
        { purpose: '🪪'.repeat(300) },
      ]
      for (const input of good) assertStatus(await create(input), 201)
      const bad = [
        { ttl_seconds: 59 },
        { ttl_seconds: 3601 },
        { ttl_seconds: 60.5 },
        { ttl_seconds: '60' },
        { purpose: '' },
        { purpose: 'p'.repeat(301) },
        { template: '' },
        { template: 't'.repeat(65) },
        { redirect_url: 'no uri' },
        { redirect_url: 'javascript:alert(1)' },
      ]
      for (const input of bad) assertRefused(await create(input), 400, 'invalid_request')
    },
  },
  {
    ids: ['IDEM-1'],
    title: 'Idempotency-Key is 1-255 printable ASCII characters without spaces',
    async run({ create }) {
      const salt = Date.now().toString(36)
      for (const key of [`!~${salt}`, salt.padEnd(255, 'k')]) {
        assertStatus(await create({}, { headers: { 'idempotency-key': key } }), 201)
      }
      for (const key of ['', 'k'.repeat(256), 'a b', 'ä']) {
        assertRefused(
          await create({}, { headers: { 'idempotency-key': key } }),
          400,
          'invalid_idempotency_key',
        )
      }
    },
  },
  {
    ids: ['READ-2', 'READ-3'],
    title: 'limit is 1-100, and before is a UTC time',
    async run({ call }) {
      for (const good of ['limit=1', 'limit=100', 'before=2026-01-01T00:00:00Z']) {
        assertEqual((await call('GET', `/v1/verifications?${good}`)).status, 200, `the status of ?${good}`)
      }
      for (const bad of [
        'limit=0',
        'limit=101',
        'limit=x',
        'limit=1.5',
        'before=yesterday',
        'before=2026-01-01T00:00:00',
        'before=2026-02-30T00:00:00Z',
      ]) {
        assertRefused(await call('GET', `/v1/verifications?${bad}`), 400, 'invalid_request')
      }
    },
  },
  {
    ids: ['DEV-1', 'ENROLL-1', 'REDEEM-1'],
    title: 'the limits of devices, pairing codes and response codes are enforced',
    async run({ call, create }) {
      const register = (input: object) =>
        call('POST', '/v1/devices', { body: { name: 'Till', allowed_templates: ['age_over_18'], ...input } })
      const good = [
        { name: 'n'.repeat(64) },
        { allowed_templates: Array.from({ length: 20 }, () => 'age_over_18') },
        { pairing_ttl_seconds: 86_400 },
      ]
      for (const input of good) assertStatus(await register(input), 201)
      const bad = [
        { name: '' },
        { name: 'n'.repeat(65) },
        { allowed_templates: [] },
        { allowed_templates: Array.from({ length: 21 }, (_, n) => `t${n}`) },
        { allowed_templates: ['t'.repeat(65)] },
        { pairing_ttl_seconds: 59 },
        { pairing_ttl_seconds: 86_401 },
      ]
      for (const input of bad) assertRefused(await register(input), 400, 'invalid_request')
      for (const pairing_code of ['', 'x'.repeat(33)]) {
        assertRefused(
          await call('POST', '/v1/devices/enroll', { key: null, body: { pairing_code } }),
          400,
          'invalid_request',
        )
      }
      const { id } = (await create()).body
      const body = { response_code: 'x'.repeat(15) }
      assertRefused(await call('POST', `/v1/verifications/${id}/redeem`, { body }), 400, 'invalid_request')
    },
  },
]
