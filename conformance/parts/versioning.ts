import type { ConformanceCheck } from '../check.ts'
import { assertThat, assertEqual, assertStatus } from '../expect.ts'

export const versioningChecks: readonly ConformanceCheck[] = [
  {
    ids: ['GEN-4'],
    title: 'the OpenAPI 3.1 document has version 0.1.0 and every route',
    async run({ call }) {
      const { body, ...response } = await call('GET', '/openapi.json', { key: null })
      assertStatus({ body, ...response }, 200)
      assertThat(String(body.openapi).startsWith('3.1'), 'openapi should be 3.1')
      assertEqual(body.info.version, '0.1.0', 'info.version')
      const routes = [
        '/v1/verifications',
        '/v1/verifications/{id}',
        '/v1/verifications/{id}/status',
        '/v1/verifications/{id}/redeem',
        '/v1/usage',
        '/v1/devices',
        '/v1/devices/{id}',
        '/v1/devices/enroll',
        '/v1/devices/token',
        '/wallet/request/{sessionId}',
        '/wallet/response/{sessionId}',
      ]
      assertEqual(
        routes.filter((route) => body.paths[route] === undefined),
        [],
        'the list of missing routes',
      )
    },
  },
]
