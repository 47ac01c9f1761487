import type { Check } from '../check.ts'
import { must, same, succeeded } from '../expect.ts'

export const versioning: readonly Check[] = [
  {
    ids: 'GEN-4',
    title: 'the description is OpenAPI 3.1, labelled 0.1.0, and has every route',
    async run({ call }) {
      const { body, ...answer } = await call('GET', '/openapi.json', { key: null })
      succeeded({ body, ...answer }, 200)
      must(String(body.openapi).startsWith('3.1'), 'openapi should be 3.1')
      same(body.info.version, '0.1.0', 'info.version')
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
      same(
        routes.filter((route) => body.paths[route] === undefined),
        [],
        'the routes that are missing',
      )
    },
  },
]
