import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { openapiDocument, type routes } from '@vidimus/contract'
import { afterAll, expect, test } from 'vitest'
import { startService } from '../../../../test/service.ts'

type Operation = { operationId: string; 'x-codeSamples'?: { label: string; source: string }[] }

const run = promisify(execFile)
const service = await startService()
const merchant = await service.tenant()
afterAll(() => service[Symbol.asyncDispose]())

const samples = Object.values(openapiDocument()['paths'] as Record<string, Record<string, Operation>>)
  .flatMap((methods) => Object.values(methods))
  .flatMap(({ operationId, 'x-codeSamples': each = [] }) =>
    each.map(({ label, source }) => ({ operation: operationId as keyof typeof routes, label, source })),
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
}

test.each(samples.filter(({ label }) => label in programs))(
  'the $label sample of $operation works',
  async ({ operation, label, source }) => {
    const verification = (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
    const { device } = (
      await merchant.post('/v1/devices', { name: 'Till', allowed_templates: ['age_over_18'] })
    ).body
    const { endpoint } = (
      await merchant.post('/v1/webhook_endpoints', {
        url: 'https://1.1.1.1/hooks',
        events: ['verification.completed'],
      })
    ).body
    const withRealIds = source
      .replaceAll(/we_[A-Za-z0-9_-]{22}/g, endpoint.id)
      .replaceAll(/vs_[A-Za-z0-9_-]{20,}/g, verification.id)
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, device.id)
    const [program, args] = programs[label]?.(withRealIds) ?? ['false', []]
    const env = { ...process.env, VIDIMUS_URL: service.address, VIDIMUS_KEY: merchant.key }
    const { stdout, stderr } = await run(program, args, { env }).catch(
      (error: { stdout: string; stderr: string }) => error,
    )
    await merchant.delete(`/v1/webhook_endpoints/${endpoint.id}`)
    const printed = stdout + stderr
    const ids = { verification: verification.id, device: device.id, endpoint: endpoint.id }

    expect(printed).toMatch(expectedIn({ operation, label, ids }))
    expect(stdout.includes('"error"')).toBe(label === 'curl' && operation in refusals)
  },
)

type Expected = {
  operation: keyof typeof routes
  label: string
  ids: { verification: string; device: string; endpoint: string }
}

/** A part of what the sample prints. */
function expectedIn({ operation, label, ids }: Expected): string | RegExp {
  const refusal = refusals[operation]
  if (refusal !== undefined) return label === 'Python' ? /HTTP Error 40[034]/ : refusal
  if (operation === 'createVerification') return 'wallet_uri'
  if (operation === 'getTillSettings') return 'keep_awake'
  if (operation === 'getUsage') return 'daily_quota'
  if (operation === 'listTemplates') return 'age_over_18'
  if (operation === 'registerDevice' || operation === 'renewPairingCode') return 'VD-'
  if (operation === 'createWebhookEndpoint') return 'whsec_'
  if (operation.includes('WebhookEndpoint')) return ids.endpoint
  return operation.includes('Device') ? ids.device : ids.verification
}
