import {
  edit,
  errorEnvelope,
  addOneSecond,
  toLowerCase,
  on,
  onVerification,
  fromSecondTime,
  replaySuccess,
  replaceStatus,
  toText,
} from './alter.ts'
import type { ExchangeAlteration } from './proxy.ts'

/** A deliberate deviation, and the requirement whose check must detect it. */
export type InjectedDeviation = ExchangeAlteration & { name: string; part: number; detected_by: string }

export const deviations: readonly InjectedDeviation[] = [
  {
    name: 'a creation returns 200',
    part: 2,
    detected_by: 'CREATE-1',
    response: on('POST', /^\/v1\/verifications$/, (exchange) => replaceStatus(exchange, 201, 200)),
  },
  {
    name: 'an unspecified member',
    part: 2,
    detected_by: 'GEN-3',
    response: onVerification((body) => (body['tenant_id'] = 't')),
  },
  {
    name: 'null instead of an absent member',
    part: 2,
    detected_by: 'GEN-3',
    response: onVerification((body) => (body['responded_at'] ??= null)),
  },
  {
    name: 'a time without Z',
    part: 2,
    detected_by: 'GEN-2',
    response: onVerification(
      (body) => (body['created_at'] = toText(body['created_at']).replace('Z', '+00:00')),
    ),
  },
  {
    name: 'metadata in lower case',
    part: 2,
    detected_by: 'GEN-3',
    response: onVerification((body) => toLowerCase(body, 'metadata')),
  },
  {
    name: 'a lifetime one second too long',
    part: 4,
    detected_by: 'CREATE-6',
    response: onVerification((body) => (body['expires_at'] = addOneSecond(body['expires_at']))),
  },
  {
    name: 'webhook_url is shown',
    part: 4,
    detected_by: 'CREATE-9',
    response: onVerification((body) => (body['webhook_url'] = 'https://hooks.example.com/x')),
  },
  {
    name: 'remaining is one too high',
    part: 2,
    detected_by: 'USE-1',
    response: on(
      'GET',
      /^\/v1\/usage/,
      edit((body) => (body['remaining'] = Number(body['remaining']) + 1)),
    ),
  },
  {
    name: 'a pairing code in lower case',
    part: 2,
    detected_by: 'DEV-2',
    response: on(
      'POST',
      /^\/v1\/devices$/,
      edit((body) => (body['pairing_code'] = toText(body['pairing_code']).toLowerCase())),
    ),
  },
  {
    name: 'wallet_uri is shown after the response',
    part: 3,
    detected_by: 'READ-5',
    response: onVerification((body) => (body['wallet_uri'] ??= 'openid4vp://?x')),
  },
  {
    name: 'a failed session shows claims',
    part: 3,
    detected_by: 'READ-7',
    response: onVerification((body) => {
      if (body['status'] === 'failed') body['claims'] = {}
    }),
  },
  {
    name: 'a second response is accepted',
    part: 3,
    detected_by: 'WRES-3',
    response: on('POST', /^\/wallet\/response\//, (exchange) => {
      if (exchange.status === 409) Object.assign(exchange, { status: 200, text: '{}' })
    }),
  },
  {
    name: 'an invalid response is accepted',
    part: 3,
    detected_by: 'WRES-5',
    response: on('POST', /^\/wallet\/response\//, (exchange) => {
      if (exchange.status === 400) Object.assign(exchange, { status: 200, text: '{}' })
    }),
  },
  {
    name: 'an erasure that reports no deletions',
    part: 3,
    detected_by: 'ERASE-1',
    response: on(
      'DELETE',
      /^\/v1\/verifications\//,
      edit((body) => {
        if ('deleted' in body)
          body['deleted'] = { verification_sessions: 0, verification_results: 0, webhook_deliveries: 0 }
      }),
    ),
  },
  {
    name: 'an erased session is 410',
    part: 3,
    detected_by: 'ERASE-2',
    response: (exchange) => replaceStatus(exchange, 404, 410),
  },
  {
    name: 'a second revocation is 404',
    part: 3,
    detected_by: 'DEV-4',
    response: fromSecondTime(/^DELETE \/v1\/devices\//, (exchange) =>
      Object.assign(exchange, { status: 404 }),
    ),
  },
  {
    name: 'a list with the oldest first',
    part: 4,
    detected_by: 'READ-1',
    response: on(
      'GET',
      /^\/v1\/verifications(?:\?|$)/,
      edit((body) => (body['data'] = (body['data'] as unknown[]).toReversed())),
    ),
  },
  {
    name: 'before is ignored',
    part: 4,
    detected_by: 'READ-3',
    request: (exchange) => {
      exchange.path = exchange.path.replace(/&before=[^&]*/, '')
    },
  },
  {
    name: 'limit is ignored',
    part: 4,
    detected_by: 'READ-2',
    request: (exchange) => {
      exchange.path = exchange.path.replace(/limit=2\b/, 'limit=3')
    },
  },
  {
    name: 'the status route shows the template',
    part: 4,
    detected_by: 'STAT-1',
    response: on(
      'GET',
      /\/status$/,
      edit((body) => (body['template'] = 'age_over_18')),
    ),
  },
  {
    name: 'Idempotent-Replayed is missing',
    part: 4,
    detected_by: 'IDEM-2',
    response: (exchange) => void delete exchange.headers['idempotent-replayed'],
  },
  {
    name: 'idempotency keys are ignored',
    part: 4,
    detected_by: 'IDEM-2',
    request: (exchange) => void delete exchange.sent.headers['idempotency-key'],
  },
  {
    name: 'a reused key is 409',
    part: 4,
    detected_by: 'IDEM-4',
    response: (exchange) => {
      if (exchange.text.includes('idempotency_key_reused')) exchange.status = 409
    },
  },
  {
    name: 'a response code works twice',
    part: 4,
    detected_by: 'REDEEM-2',
    response: replaySuccess(/^POST \/v1\/verifications\/[^/]+\/redeem$/),
  },
  {
    name: 'a request object as plain JSON',
    part: 4,
    detected_by: 'WREQ-1',
    response: on('GET', /^\/wallet\/request\//, (exchange) => {
      if (exchange.status === 200) exchange.headers['content-type'] = 'application/json'
    }),
  },
  {
    name: 'token_type in lower case',
    part: 4,
    detected_by: 'TOKEN-1',
    response: on(
      'POST',
      /^\/v1\/devices\/(?:enroll|token)$/,
      edit((body) => {
        if ('token_type' in body) body['token_type'] = 'bearer'
      }),
    ),
  },
  {
    name: 'a device reads every session',
    part: 4,
    detected_by: 'TOKEN-5',
    response: on('GET', /^\/v1\/verifications\/vs_/, (exchange) => replaceStatus(exchange, 404, 200)),
  },
  {
    name: 'a missing key has a different message',
    part: 5,
    detected_by: 'AUTH-3',
    response: (exchange) => {
      if (exchange.sent.headers['authorization'] === undefined)
        exchange.text = exchange.text.replace(/"message":"[^"]*"/, '"message":"There is no key."')
    },
  },
  {
    name: 'WWW-Authenticate is missing',
    part: 5,
    detected_by: 'AUTH-11',
    response: (exchange) => void delete exchange.headers['www-authenticate'],
  },
  {
    name: 'the missing scope is not named',
    part: 5,
    detected_by: 'AUTH-7',
    response: (exchange) => {
      if (exchange.status === 403)
        exchange.text = exchange.text.replace(/(?:verifications|devices):\w+/, 'another scope')
    },
  },
  {
    name: 'the body is read before the scope',
    part: 5,
    detected_by: 'AUTH-8',
    response: (exchange) => {
      if (exchange.status === 403 && exchange.sent.body === '{')
        Object.assign(exchange, { status: 400, text: errorEnvelope('invalid_request') })
    },
  },
  {
    name: "another tenant's session is 403",
    part: 5,
    detected_by: 'READ-4',
    response: on('GET', /^\/v1\/verifications\/vs_0/, (exchange) => {
      if (exchange.status === 404)
        Object.assign(exchange, { status: 403, text: errorEnvelope('insufficient_scope') })
    }),
  },
  {
    name: 'a webhook with reformatted JSON',
    part: 6,
    detected_by: 'HOOK-2',
    request: on('POST', /^\/hook$/, (exchange) => {
      exchange.sent.body = JSON.stringify(JSON.parse(exchange.sent.body), null, 1)
    }),
  },
  {
    name: 'a signature in upper case',
    part: 6,
    detected_by: 'HOOK-2',
    request: on('POST', /^\/hook$/, (exchange) => {
      exchange.sent.headers['x-service-signature'] = toText(
        exchange.sent.headers['x-service-signature'],
      ).replace(/v1=.*/, (hex) => hex.toUpperCase())
    }),
  },
  {
    name: 'an unspecified error code',
    part: 7,
    detected_by: 'CREATE-3',
    response: (exchange) => {
      exchange.text = exchange.text.replace('unknown_template', 'template_unknown')
    },
  },
  {
    name: 'a refusal without the error envelope',
    part: 7,
    detected_by: 'GEN-5',
    response: (exchange) => {
      if (exchange.status >= 400) exchange.text = '{"message":"no"}'
    },
  },
  {
    name: 'an odd id causes a 500',
    part: 7,
    detected_by: 'GEN-10',
    response: (exchange) => {
      if (exchange.path.includes('%00'))
        Object.assign(exchange, { status: 500, text: errorEnvelope('internal_error') })
    },
  },
  {
    name: 'Retry-After is missing when the quota is exceeded',
    part: 7,
    detected_by: 'QUOTA-1',
    response: (exchange) => void delete exchange.headers['retry-after'],
  },
  {
    name: 'a ttl of 59 seconds is accepted',
    part: 8,
    detected_by: 'CREATE-6',
    request: (exchange) => {
      exchange.sent.body = exchange.sent.body.replace('"ttl_seconds":59', '"ttl_seconds":60')
    },
  },
  {
    name: 'an OpenAPI document with another version',
    part: 9,
    detected_by: 'GEN-4',
    response: on(
      'GET',
      /^\/openapi.json$/,
      edit((body) => (body['info'] = { version: '1.0.0' })),
    ),
  },
]
