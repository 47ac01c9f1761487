import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import type { ApiResponse, Caller } from '../../apps/service/test/caller.ts'
import { startService } from '../../apps/service/test/service.ts'
import type { ChaosRun } from '../chaos-run.ts'

const fullSize = 200_000
const concurrency = 32

type GeneratedRequest = { method: 'GET' | 'POST'; path: string; body?: string }

/** Strings that often break software: NUL, lone surrogates, prototype members, quotes, very long and empty strings. */
const hostileString = fc.oneof(
  fc.constantFrom(
    '',
    '\0',
    'a\0b',
    '\ud800',
    '\udfff',
    '__proto__',
    'constructor',
    "'; drop table x; --",
    '${x}',
    '%00',
    '\u202e',
  ),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
)
const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileString,
  fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }),
  fc.constantFrom(
    0,
    -0,
    1e308,
    -1e308,
    1e-308,
    Number.MAX_SAFE_INTEGER + 2,
    null,
    true,
    [],
    {},
    59,
    60,
    3600,
    3601,
    300.5,
  ),
)
const memberNames = [
  'template',
  'query',
  'webhook_url',
  'redirect_url',
  'ttl_seconds',
  'metadata',
  'purpose',
  '__proto__',
  'extra',
  'credentials',
]
const validBody = {
  template: 'age_over_18',
  ttl_seconds: 300,
  metadata: { a: 'b' },
  purpose: 'why',
  redirect_url: 'https://a.example/',
}
const anyQuery = fc.record(
  {
    credentials: fc.array(fc.dictionary(hostileString, anyValue, { maxKeys: 4 }), { maxLength: 3 }),
    credential_sets: anyValue,
  },
  { requiredKeys: [] },
)

const body: fc.Arbitrary<string> = fc.oneof(
  // A valid body with up to two members changed.
  fc
    .array(fc.tuple(fc.constantFrom(...memberNames), anyValue), { maxLength: 2 })
    .map((changes) => JSON.stringify({ ...validBody, ...Object.fromEntries(changes) })),
  fc
    .record({ query: anyQuery, ttl_seconds: anyValue }, { requiredKeys: ['query'] })
    .map((one) => JSON.stringify(one)),
  fc
    .dictionary(fc.oneof(hostileString, fc.constantFrom(...memberNames)), anyValue, { maxKeys: 6 })
    .map((one) => JSON.stringify(one)),
  anyValue.map((one) => JSON.stringify(one) ?? ''),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.integer({ min: 1, max: 5000 }).map((depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
  fc.constantFrom(
    '{"template":"age_over_18","template":"x"}',
    '{"__proto__":{"template":"x"}}',
    '[',
    '{"a":1e999}',
    '\ufeff{}',
    'nul',
  ),
)
const queryParameter = fc.tuple(
  fc.constantFrom('limit', 'before', 'x', '__proto__', 'limit[]'),
  fc.oneof(
    hostileString,
    fc.integer().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  ),
)
const anyRequest: fc.Arbitrary<GeneratedRequest> = fc.oneof(
  {
    weight: 3,
    arbitrary: body.map((text): GeneratedRequest => ({
      method: 'POST',
      path: '/v1/verifications',
      body: text,
    })),
  },
  {
    weight: 1,
    arbitrary: fc.array(queryParameter, { maxLength: 3 }).map((pairs): GeneratedRequest => {
      const search = pairs
        .map(([name, text]) => `${name}=${encodeURIComponent(text.toWellFormed())}`)
        .join('&')
      return { method: 'GET', path: `/v1/verifications?${search}` }
    }),
  },
  {
    weight: 1,
    arbitrary: hostileString.map((id): GeneratedRequest => ({
      method: 'GET',
      path: `/v1/verifications/${encodeURIComponent(id.toWellFormed())}/status`,
    })),
  },
)

/** Generated requests: none may cause a 500 or a response that the published OpenAPI document does not describe. */
export const generatedRequests: ChaosRun = async ({ n = fullSize }) => {
  await using service = await startService()
  const merchant = await service.tenant({ daily_quota: 2_000_000_000 })
  const validate = openApiValidator()
  let faults = 0
  let lost = 0
  const requests = fc.sample(anyRequest, { numRuns: n })
  const sendRemaining = async () => {
    for (let one = requests.pop(); one !== undefined; one = requests.pop()) {
      const response = await send(merchant, one)
      if (response.status >= 400) faults += 1
      const problem = validate(one, response)
      if (problem === undefined) continue
      lost += 1
      process.stderr.write(`${JSON.stringify(one).slice(0, 500)}\n  ${problem}\n`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, sendRemaining))
  return { name: 'bodies', faults, acknowledged: n, lost, duplicated: 0 }
}

/** Retries while the service is overloaded, which it may be. */
async function send(merchant: Caller, one: GeneratedRequest): Promise<ApiResponse> {
  for (let tries = 1; ; tries += 1) {
    const response = await merchant.request(
      one.method,
      one.path,
      one.body === undefined ? {} : { raw: one.body.toWellFormed() },
    )
    if (response.status !== 503 || response.body?.error?.code !== 'overloaded' || tries === 100)
      return response
    await sleep(50)
  }
}

/** Returns a function that says how a response violates the published OpenAPI document, or undefined if it does not. */
export function openApiValidator(): (
  anyRequest: GeneratedRequest,
  response: ApiResponse,
) => string | undefined {
  const document = JSON.parse(
    readFileSync(new URL('../../packages/contract/openapi.json', import.meta.url), 'utf8'),
  )
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'openapi')
  const routePath = (path: string) =>
    path.endsWith('/status') ? '/v1/verifications/{id}/status' : '/v1/verifications'
  return ({ method, path }, { status, body: responseBody, text }) => {
    if (status >= 500) return `status ${status}: ${text.slice(0, 200)}`
    const place = [
      'paths',
      routePath(path.split('?')[0] ?? ''),
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      'application/json',
      'schema',
    ]
    const validate = ajv.getSchema(
      `openapi#/${place.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`,
    )
    if (validate === undefined) return `the document has no ${status} response for this route`
    return validate(responseBody) === true ? undefined : ajv.errorsText(validate.errors)
  }
}
