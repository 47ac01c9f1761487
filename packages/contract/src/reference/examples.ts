import type { ErrorCode } from '../errors.ts'
import type { routes } from '../routes.ts'
import { exampleSessionId } from '../verifications.ts'

export type Operation = keyof typeof routes

const deviceId = '8f14e45f-ceea-4672-9c1b-3d1f0a7e5b42'
const responseCode = 'p7Qm2xV9rT4wYb6nKc1sHd8f'
const requestObject = 'eyJhbGciOiJFUzI1NiIsInR5cCI6Im9hdXRoLWF1dGh6LXJlcStqd3QifQ…'

const created = {
  id: exampleSessionId,
  status: 'pending',
  template: 'age_over_18',
  wallet_uri: 'openid4vp://?client_id=x509_hash%3A…&request_uri=https%3A%2F%2F…',
  request_uri: `https://verify.example.com/wallet/request/${exampleSessionId}`,
  metadata: { order: 'A-1001' },
  purpose: 'Age check for your order',
  created_at: '2026-11-15T12:00:00.123456Z',
  expires_at: '2026-11-15T12:05:00.123456Z',
}

const completed = {
  id: exampleSessionId,
  status: 'completed',
  template: 'age_over_18',
  claims: { age_over_18: true },
  credentials: [
    {
      format: 'mso_mdoc',
      doctype_or_vct: 'org.iso.18013.5.1.mDL',
      claims: { age_over_18: true },
      issuer: { common_name: 'Example Transport Authority', country: 'DE' },
      trusted: true,
      signature_valid: true,
      holder_binding_valid: true,
      findings: [],
    },
  ],
  metadata: { order: 'A-1001' },
  purpose: 'Age check for your order',
  created_at: '2026-11-15T12:00:00.123456Z',
  expires_at: '2026-11-15T12:05:00.123456Z',
  responded_at: '2026-11-15T12:01:30.654321Z',
}

const device = {
  id: deviceId,
  name: 'Till 3',
  status: 'active',
  allowed_templates: ['age_over_18'],
  created_at: '2026-11-15T09:00:00.123456Z',
  enrolled_at: '2026-11-15T09:02:10.123456Z',
  last_seen_at: '2026-11-15T11:58:00.123456Z',
}

const pendingDevice = {
  id: deviceId,
  name: 'Till 3',
  status: 'pending',
  allowed_templates: ['age_over_18'],
  created_at: '2026-11-15T09:00:00.123456Z',
  pairing_expires_at: '2026-11-15T09:15:00.123456Z',
}

const endpoint = {
  id: 'we_p7Qm2xV9rT4wYb6nKc1sHd',
  url: 'https://shop.example.com/hooks/vidimus',
  environment: 'test',
  events: ['verification.completed', 'verification.failed'],
  description: 'Orders',
  enabled: true,
  secret_created_at: '2026-11-15T09:00:00.123456Z',
  created_at: '2026-11-15T09:00:00.123456Z',
}

const tokens = {
  access_token: 'vd_0…',
  refresh_token: 'vdr_0…',
  token_type: 'Bearer',
  expires_in: 900,
  refresh_expires_in: 2_592_000,
  device,
}

/** A successful response of each operation. A test parses them with the schemas of the routes. */
export const responseExamples: Record<Operation, unknown> = {
  createVerification: created,
  listVerifications: { data: [completed] },
  getVerification: completed,
  eraseVerification: {
    id: exampleSessionId,
    deleted: { verification_sessions: 1, verification_results: 1, webhook_deliveries: 2 },
    erased_at: '2026-11-15T12:10:00.123456Z',
  },
  redeemResponseCode: completed,
  getVerificationStatus: { id: exampleSessionId, status: 'pending' },
  getUsage: {
    day: '2026-11-15',
    verifications_created: 412,
    daily_quota: 1000,
    remaining: 588,
    recent: [
      { day: '2026-11-15', verifications_created: 412 },
      { day: '2026-11-14', verifications_created: 963 },
    ],
  },
  listTemplates: {
    data: [
      {
        key: 'age_over_18',
        name: 'Age over 18',
        description: 'Proves that the holder is over 18.',
        version: '3f1c9a0b7d2e4c58',
        built_in: true,
        claims: ['age_over_18'],
      },
    ],
  },
  registerDevice: { device: pendingDevice, pairing_code: 'VD-7K3M-QX9T' },
  listDevices: { data: [device] },
  revokeDevice: { ...device, status: 'revoked', revoked_at: '2026-11-20T17:00:00.123456Z' },
  changeDevice: { ...device, name: 'Till 4' },
  renewPairingCode: { device: pendingDevice, pairing_code: 'VD-2F8C-W6NB' },
  enrollDevice: tokens,
  refreshDeviceToken: tokens,
  createWebhookEndpoint: { endpoint, secret: 'whsec_…' },
  listWebhookEndpoints: { data: [endpoint] },
  getWebhookEndpoint: endpoint,
  changeWebhookEndpoint: endpoint,
  deleteWebhookEndpoint: endpoint,
  rotateWebhookEndpointSecret: {
    endpoint: { ...endpoint, previous_secret_retires_at: '2026-11-16T12:00:00.123456Z' },
    secret: 'whsec_…',
  },
  getWalletRequest: requestObject,
  postWalletRequest: requestObject,
  postWalletResponse: { redirect_uri: `https://shop.example/checkout/return#response_code=${responseCode}` },
  getHolderSession: {
    phase: 'pending',
    now: '2026-11-15T12:00:05.123456Z',
    expires_at: '2026-11-15T12:05:00.123456Z',
    test: false,
    lang: 'en',
    merchant: { name: 'Corner Shop', legal_name: 'Corner Shop Ltd', colour: '#7a1f3d' },
    purpose: 'Age check for your order',
    asks: [{ documents: ['Driving licence'], claims: ['Whether you are 18 or over'], optional: false }],
    retention: 'The shop keeps the result for 30 days.',
    wallet_uri: 'openid4vp://?client_id=…',
    screen_uri: 'openid4vp://?client_id=…',
    dc_api: true,
  },
  streamHolderPhases: 'data: {"phase":"opened"}\n\n',
  getDcRequests: { requests: [{ protocol: 'openid4vp-v1-signed', data: { request: requestObject } }] },
  postDcResponse: {},
}

/** A message of each error that the published routes return. */
export const errorExamples: Partial<Record<ErrorCode, string>> = {
  invalid_request: 'ttl_seconds: must be at least 60, got 30.',
  invalid_idempotency_key:
    'Idempotency-Key must be 1-255 printable ASCII characters without spaces. A UUID is a good choice.',
  invalid_pairing_code: 'This pairing code is not valid.',
  invalid_refresh_token: 'This refresh token is not valid.',
  invalid_wallet_response: 'This is not a response to the request: it cannot be decrypted.',
  invalid_api_key: 'The API key is not valid.',
  api_key_expired: 'The API key has expired.',
  insufficient_scope: 'This request needs the scope verifications:create.',
  wrong_origin: 'The origin of this page is not allowed. Add it to the allowed origins in the settings.',
  session_not_found: 'There is no such verification.',
  device_not_found: 'There is no such device.',
  webhook_endpoint_not_found: 'There is no such webhook endpoint.',
  too_many: 'A tenant can have 16 webhook endpoints in an environment. Delete one first.',
  device_revoked: 'This device is revoked. Register it again.',
  invalid_response_code: 'This code is wrong or was already redeemed.',
  session_already_responded: 'A wallet has already responded to this verification.',
  idempotency_key_in_flight: 'A request with this Idempotency-Key is still running.',
  session_expired: 'This verification has expired.',
  unknown_template: 'There is no template age_over_81. Did you mean age_over_18?',
  registration_exceeded:
    'The query asks for more than you are registered for. query.credentials[0].claims[1]: is outside the registration',
  invalid_webhook_url: 'webhook_url must resolve to a public address.',
  idempotency_key_reused: 'This Idempotency-Key was used with a different body in the last 24 hours.',
  rate_limit_exceeded: 'Too many requests. Try again in a moment.',
  quota_exceeded: 'The daily quota is used up. It resets at 00:00 UTC.',
  internal_error: 'Something went wrong on our side.',
  overloaded: 'Too many requests are waiting. Try again in a moment.',
}
