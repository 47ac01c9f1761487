import { z } from 'zod'
import { managementRoutes, type ManagementOperation } from '../management.ts'
import type { routes } from '../routes.ts'
import { exampleVerificationId } from '../verifications.ts'
import { exampleEndpointId } from '../webhook-endpoints.ts'

export type Operation = keyof typeof routes

const deviceId = '8f14e45f-ceea-4672-9c1b-3d1f0a7e5b42'
const responseCode = 'p7Qm2xV9rT4wYb6nKc1sHd8f'
const requestObject = 'eyJhbGciOiJFUzI1NiIsInR5cCI6Im9hdXRoLWF1dGh6LXJlcStqd3QifQ…'

const created = {
  id: exampleVerificationId,
  status: 'pending',
  template: 'age_over_18',
  wallet_uri: 'openid4vp://?client_id=x509_hash%3A…&request_uri=https%3A%2F%2F…',
  request_uri: `https://verify.example.com/wallet/request/${exampleVerificationId}`,
  metadata: { order: 'A-1001' },
  purpose: 'Age check for your order',
  created_at: '2026-11-15T12:00:00.123456Z',
  expires_at: '2026-11-15T12:05:00.123456Z',
}

const completed = {
  id: exampleVerificationId,
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
  id: exampleEndpointId,
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

const { wallet_uri: _wallet, request_uri: _request, ...closed } = created
const cancelled = { ...closed, status: 'expired', expires_at: '2026-11-15T12:00:40.123456Z' }

/** Responses whose members belong together. */
const writtenExamples: Record<Exclude<Operation, ManagementOperation>, unknown> = {
  createVerification: created,
  listVerifications: { data: [completed] },
  getVerification: completed,
  cancelVerification: cancelled,
  eraseVerification: {
    id: exampleVerificationId,
    deleted: { verification_sessions: 1, verification_results: 1, webhook_deliveries: 2 },
    erased_at: '2026-11-15T12:10:00.123456Z',
  },
  redeemResponseCode: completed,
  requestFromReader: { device_request: 'omd2ZXJzaW9uYzEuMGtkb2NSZXF1ZXN0c4GhbGl0ZW1zUmVxdWVzdA' },
  presentFromReader: { id: exampleVerificationId, status: 'completed' },
  getVerificationStatus: { id: exampleVerificationId, status: 'pending' },
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
  comparePhoto: { id: created.id, same_person: true },
  getTillSettings: {
    merchant: { name: 'Corner Shop' },
    test: false,
    keep_awake: true,
    pin: true,
    edited_languages_only: false,
    purpose: 'Age check for alcohol',
  },
  checkPin: { correct: false, tries_left: 3 },
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
  getConfig: { version: 1, brand: { display_name: 'Harbour Wines', colour: '#1a2b3c' }, alert_webhook: null },
  applyConfig: {
    applied: true,
    changes: [
      {
        action: 'change',
        resource: 'brand',
        before: {},
        after: { display_name: 'Harbour Wines', colour: '#1a2b3c' },
        applied: true,
      },
    ],
    unchanged: 0,
    kept: 0,
    secrets: [],
  },
  getWalletRequest: requestObject,
  postWalletRequest: requestObject,
  getCodeRequest: requestObject,
  postCodeRequest: requestObject,
  postWalletResponse: { redirect_uri: `https://shop.example/checkout/return#response_code=${responseCode}` },
  getHolderVerification: {
    phase: 'pending',
    now: '2026-11-15T12:00:05.123456Z',
    expires_at: '2026-11-15T12:05:00.123456Z',
    test: false,
    lang: 'en',
    merchant: { name: 'Corner Shop', legal_name: 'Corner Shop Ltd', colour: '#7a1f3d' },
    purpose: 'Age check for your order',
    headline: 'Confirm that you are 18 or older',
    summary: 'Proof that you are 18 or older',
    asks: [{ documents: ['Driving licence'], claims: ['Whether you are 18 or over'], optional: false }],
    retention: 'Corner Shop keeps it for 90 days. Vidimus deletes it after 30 days.',
    wallet_uri: 'eu-eaap://?client_id=…',
    links: [
      { name: 'eu-eaap', uri: 'eu-eaap://?client_id=…' },
      { name: 'openid4vp', uri: 'openid4vp://?client_id=…' },
    ],
    screen_uri: 'openid4vp://?client_id=…',
    dc_api: true,
  },
  cancelAsHolder: { return_url: 'https://shop.example/checkout/return' },
  streamHolderPhases: 'data: {"phase":"opened"}\n\n',
  getDcRequests: { requests: [{ protocol: 'openid4vp-v1-signed', data: { request: requestObject } }] },
  postDcResponse: {},
}

/** A successful response of each operation. A test parses them with the schemas of the routes. */
export const responseExamples: Record<Operation, unknown> = {
  ...writtenExamples,
  // `Object.keys` knows no names.
  ...(Object.fromEntries(
    Object.entries(managementRoutes).map(([operation, { success }]) => [operation, exampleOf(success.body)]),
  ) as Record<ManagementOperation, unknown>),
  ...correctedExamples(),
}

/** Responses that would contradict themselves with an example of every optional member. */
function correctedExamples(): Partial<Record<ManagementOperation, unknown>> {
  const { key: all = {}, secret } = exampleMembers('createKey')
  const { revoked_at, replaced_by: _, ...key } = all
  const { client: site = {}, secret: clientSecret } = exampleMembers('createOpenIdClient')
  const { missing_templates: _m, last_problem: _l, previous_secret_expires_at, ...client } = site
  // A link that works.
  const { used_at: _u, ...link } = exampleMembers('getLink')
  const { error: _e, ...trial } = exampleMembers('tryTemplate')
  return {
    listKeys: { data: [key] },
    createKey: { key, secret },
    revokeKey: { ...key, revoked_at },
    listOpenIdClients: { data: [client] },
    createOpenIdClient: { client, secret: clientSecret },
    changeOpenIdClient: client,
    rollOpenIdClientSecret: { client: { ...client, previous_secret_expires_at }, secret: clientSecret },
    listLinks: { data: [link] },
    createLink: link,
    getLink: link,
    changeLink: link,
    tryTemplate: trial,
    removeAlertWebhook: {},
  }
}

function exampleMembers(operation: ManagementOperation): Record<string, Record<string, unknown>> {
  // Their bodies are objects.
  return exampleOf(managementRoutes[operation].success.body) as Record<string, Record<string, unknown>>
}

/** The example of a schema, or an object of the examples of its members. */
export function exampleOf(schema: z.ZodType): unknown {
  const [example] = (schema.meta()?.examples as unknown[] | undefined) ?? []
  if (example !== undefined) return example
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return exampleOf(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodUnion) return exampleOf(schema.options[0] as z.ZodType)
  if (schema instanceof z.ZodArray) return [exampleOf(schema.element as z.ZodType)]
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries(schema.shape).map(([name, each]) => [name, exampleOf(each as z.ZodType)]),
    )
  throw new Error('A schema has no example.')
}
