import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { managementRoutes, managementScopes, openapiDocument, scopes, type routes } from '@vidimus/contract'
import { afterAll, expect, test } from 'vitest'
import { startService } from '../../../../test/service.ts'

type Operation = {
  operationId: string
  responses: Record<string, { content: Record<string, { example?: unknown }> }>
  'x-codeSamples'?: { label: string; source: string }[]
}

type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { properties: Record<string, { examples: unknown[] }> }> }
}

const run = promisify(execFile)
const service = await startService()
afterAll(() => service[Symbol.asyncDispose]())

const { paths, components } = openapiDocument() as Document // generated from our own schemas
const samples = Object.values(paths)
  .flatMap((methods) => Object.values(methods))
  .flatMap(({ operationId, responses, 'x-codeSamples': each = [] }) =>
    each.map(({ label, source }) => ({
      operation: operationId as keyof typeof routes,
      label,
      source,
      example: Object.values(Object.values(responses)[0]?.content ?? {})[0]?.example,
    })),
  )

/** How to run a sample, in the languages that every machine of a developer has. */
const programs: Record<string, (source: string) => [string, string[]]> = {
  curl: (source) => ['bash', ['-c', source]],
  // It prints nothing by itself.
  TypeScript: (source) => [
    process.execPath,
    [
      '--input-type=module-typescript',
      '-e',
      source.replace(/const (\{.*?\}|\w+) = (await .*)$/s, 'console.log($2)'),
    ],
  ],
  Python: (source) => ['python3', ['-c', source]],
}

/** The refusal of an operation whose example is no code or token of this service. */
const refusals: Partial<Record<keyof typeof routes, string>> = {
  redeemResponseCode: 'invalid_response_code',
  // Nothing was completed, and a key has no PIN.
  comparePhoto: 'invalid_request',
  checkPin: 'invalid_request',
  // Only a device may.
  requestFromReader: 'insufficient_scope',
  presentFromReader: 'insufficient_scope',
  enrollDevice: 'invalid_pairing_code',
  refreshDeviceToken: 'invalid_refresh_token',
  // The certificates are cut short.
  addAnchors: 'invalid_request',
  changeIdentity: 'invalid_request',
  changeEcosystemIdentity: 'invalid_request',
  addRegistration: 'registration_not_accepted',
  // So there is none of these.
  removeAnchor: 'anchor_not_found',
  assignRegistration: 'registration_not_found',
  getRegistration: 'registration_not_found',
  changeRegistration: 'registration_not_found',
  checkRegistration: 'registration_not_found',
  removeRegistration: 'registration_not_found',
  // There is none with this thumbprint.
  activateSealingKey: 'sealing_key_not_found',
  retireSealingKey: 'sealing_key_not_found',
  // No holder asked for it.
  refuseErasureRequest: 'session_not_found',
  // Nobody has responded.
  getReceipt: 'receipt_not_ready',
  // Nobody has responded, so there is no event.
  resendWebhook: 'invalid_request',
}

test.each(samples.filter(({ label }) => label in programs))(
  'the $label sample of $operation works',
  async ({ operation, label, source, example }) => {
    const { merchant, verification, device, endpoint, client, link, key_id } = await createOneOfEach()
    const withRealIds = source
      .replaceAll(/oc_[A-Za-z0-9_-]{22}/g, client.id)
      .replaceAll(/we_[A-Za-z0-9_-]{22}/g, endpoint.id)
      .replaceAll(/vl_[A-Za-z0-9_-]{22}/g, link.id)
      .replaceAll(/vs_[A-Za-z0-9_-]{20,}/g, verification.id)
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) =>
        id === exampleOf('ApiKey', 'id') ? key_id : device.id,
      )
    const [program, args] = programs[label]?.(withRealIds) ?? ['false', []]
    const env = { ...process.env, VIDIMUS_URL: service.address, VIDIMUS_KEY: merchant.key }
    const { stdout, stderr } = await run(program, args, { env }).catch(
      (error: { stdout: string; stderr: string }) => error,
    )
    const printed = operation in refusals ? stdout + stderr : stdout
    const ids = { verification: verification.id, device: device.id, endpoint: endpoint.id }

    expect(printed).toMatch(expectedIn({ operation, label, ids, example }))
    expect(stdout.includes('"error"')).toBe(label === 'curl' && operation in refusals)
  },
)

/** A tenant with a key that may do everything, and something for each id in the samples. */
async function createOneOfEach() {
  const tenant = await service.tenant({ scopes: scopes.filter((scope) => !isManaging(scope)) })
  // A key that manages expires.
  const merchant = await tenant.as({ lifetime_days: 90 })
  const { key_id } = await tenant.as({ scopes: ['config:read'] })
  const verification = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  const registered = await merchant.post('/v1/devices', {
    name: 'Till',
    allowed_templates: ['age_over_18'],
  })
  const url = 'https://1.1.1.1/hooks'
  const receiver = await merchant.post('/v1/webhook_endpoints', { url, events: ['verification.completed'] })
  const site = await merchant.post('/v1/openid_clients', {
    name: 'Shop',
    redirect_uris: ['https://shop.example/callback'],
    templates: ['age_over_18'],
  })
  const link = await merchant.post('/v1/verification_links', { name: 'Shop window', template: 'age_over_18' })
  await merchant.request('PUT', '/v1/settings/alert_webhook', { body: { url } })
  await merchant.request('PUT', '/v1/templates/hotel_check_in', {
    body: { template: exampleOf('TemplateInput', 'template') },
  })
  return {
    merchant,
    key_id,
    verification: verification.body,
    device: registered.body.device,
    endpoint: receiver.body.endpoint,
    client: site.body.client,
    link: link.body,
  }
}

type Expected = {
  operation: keyof typeof routes
  label: string
  ids: { verification: string; device: string; endpoint: string }
  example: unknown
}

/** A part of what the sample prints. */
function expectedIn({ operation, label, ids, example }: Expected): string | RegExp {
  const refusal = refusals[operation]
  if (refusal !== undefined) return label === 'Python' ? /HTTP Error 4(?:0[0349]|22)/ : refusal
  // Nothing was resent before.
  if (operation === 'getResend') return '{}'
  if (operation in managementRoutes || operation.endsWith('Config'))
    return typeof example === 'string' ? '"entry"' : (Object.keys(example ?? {})[0] ?? '{}')
  if (operation === 'createVerification') return 'wallet_uri'
  if (operation === 'getTillSettings') return 'keep_awake'
  if (operation === 'getUsage') return 'daily_quota'
  if (operation === 'listTemplates') return 'age_over_18'
  if (operation === 'registerDevice' || operation === 'renewPairingCode') return 'VD-'
  if (operation === 'createWebhookEndpoint') return 'whsec_'
  if (operation.includes('WebhookEndpoint')) return ids.endpoint
  return operation.includes('Device') ? ids.device : ids.verification
}

function exampleOf(schema: string, member: string): unknown {
  return components.schemas[schema]?.properties[member]?.examples[0]
}

function isManaging(scope: (typeof scopes)[number]): boolean {
  return (managementScopes as readonly string[]).includes(scope)
}
