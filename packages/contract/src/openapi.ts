import { z } from 'zod'
import { ErrorEnvelope } from './errors.ts'
import { writeCodeSamples } from './reference/code-samples.ts'
import { responseExamples, type Operation } from './reference/examples.ts'
import type { PublishedRoute, Route } from './route.ts'
import { routes } from './routes.ts'
import { managementScopes, type Scope } from './scopes.ts'
import { errorCodes, type ErrorCode } from './vocabulary/error-codes.ts'
import { webhookHeaders, webhooks, type Webhook } from './webhooks.ts'

type Json = Record<string, unknown>

/** Errors that every route can return. */
const commonRefusals: readonly ErrorCode[] = ['rate_limit_exceeded', 'internal_error', 'overloaded']
const statusesWithRetryAfter = new Set([409, 429, 503])

/** Generates the OpenAPI 3.1 document from the table of routes. */
export function openapiDocument(): Json {
  const paths: Record<string, Json> = {}
  for (const [operation, route] of Object.entries(routes) as [Operation, PublishedRoute][]) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: describeOperation(operation, route),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vidimus',
      // The label of the interface specification (GEN-4), which the product's releases share.
      version: '0.1.0',
      description:
        'Request verified claims from digital identity wallets. The version is that of this interface, not of the product.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: groups.map(({ name, description }) => ({ name, description })),
    paths,
    webhooks: Object.fromEntries(
      Object.entries(webhooks).map(([type, webhook]) => [type, { post: describeWebhook(type, webhook) }]),
    ),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key (`vk_test_…`, `vk_live_…`) or a device token (`vd_…`).',
        },
      },
      headers: headerComponents,
      schemas: describeSchemas(),
    },
  }
}

function describeOperation(operation: Operation, route: PublishedRoute): Json {
  const samples = writeCodeSamples(operation, route)
  const parameters = [
    ...describeParameters('path', route.params),
    ...describeParameters('query', route.query),
    ...headerParameters(route.headers ?? {}),
  ]
  return {
    operationId: operation,
    tags: [findGroup(route)],
    summary: route.summary,
    ...(route.scope !== undefined && { description: describeScope(route.scope) }),
    security: route.scope === undefined ? [] : [{ bearer: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...describeBody(route),
    responses: describeResponses(route, responseExamples[operation]),
    ...(samples.length > 0 && { 'x-codeSamples': samples }),
  }
}

function describeScope(scope: Scope): string {
  const needed = `Scope: \`${scope}\`.`
  return (managementScopes as readonly Scope[]).includes(scope)
    ? `${needed} A key with it is created by a person in the dashboard, and expires.`
    : needed
}

/** Describes a request that the service sends to the merchant. */
function describeWebhook(type: string, { summary, description, body }: Webhook): Json {
  return {
    operationId: type,
    summary,
    description,
    security: [],
    parameters: headerParameters(webhookHeaders).map((parameter) => ({ ...parameter, required: true })),
    requestBody: { required: true, content: { 'application/json': { schema: schemaReference(body) } } },
    responses: { '2XX': { description: 'You have received it.' } },
  }
}

function headerParameters(headers: Record<string, string>): Json[] {
  return Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }))
}

/** The sections of the API reference. A path belongs to the first group whose prefix it starts with. */
const groups = [
  {
    prefix: '/v1/verifications',
    name: 'Verifications',
    description: 'Request a verification and read its result.',
  },
  {
    prefix: '/v1/verification_links',
    name: 'Verification links',
    description: 'Addresses that people open to be verified, without a line of code.',
  },
  { prefix: '/v1/templates', name: 'Templates', description: 'What a verification can ask for.' },
  {
    prefix: '/v1/config',
    name: 'Configuration',
    description: 'The whole configuration as one document.',
  },
  { prefix: '/v1/usage', name: 'Usage', description: 'Daily quota and usage.' },
  {
    prefix: '/v1/devices',
    name: 'Devices',
    description: 'Tills and tablets that create verifications with their own tokens.',
  },
  {
    prefix: '/v1/webhook_endpoints',
    name: 'Webhook endpoints',
    description: 'Receivers for the events of all verifications, each with its own secret.',
  },
  {
    prefix: '/v1/settings',
    name: 'Settings',
    description: 'How you appear to holders, what happens to results, and who signs requests.',
  },
  { prefix: '/v1/trust_anchors', name: 'Trust', description: 'Certificates that issuers are trusted by.' },
  {
    prefix: '/v1/registrations',
    name: 'Registrations',
    description: 'Registration certificates, which tell wallets what you may ask for.',
  },
  {
    prefix: '/v1/openid_clients',
    name: 'OpenID clients',
    description: 'Sites that ask through OpenID Connect.',
  },
  {
    prefix: '/v1/erasure_requests',
    name: 'Erasure requests',
    description: 'What holders ask to be erased, where you decide.',
  },
  {
    prefix: '/v1/receipts',
    name: 'Receipts',
    description: 'What proves to an inspector that verifications took place.',
  },
  { prefix: '/v1/report', name: 'Report', description: 'What regulators ask for, of a period.' },
  {
    prefix: '/v1/sealing_keys',
    name: 'Sealing keys',
    description: 'Public keys that claims are encrypted to, so that only you can read them.',
  },
  { prefix: '/v1/api_keys', name: 'API keys', description: 'Keys of the same environment.' },
  { prefix: '/v1/members', name: 'Members', description: 'The people who use the dashboard.' },
  {
    prefix: '/v1/deliveries',
    name: 'Deliveries',
    description: 'Attempts to deliver webhooks, and how to send events again.',
  },
  {
    prefix: '/v1/requests',
    name: 'Requests',
    description: 'The log of requests, without bodies.',
  },
  { prefix: '/v1/audit', name: 'Audit', description: 'The signed record of every change.' },
  {
    prefix: '/wallet/',
    name: 'Wallets',
    description: 'Called by wallets (OpenID4VP 1.0), not by merchants.',
  },
  {
    prefix: '/verify/',
    name: 'Holder',
    description:
      'Called by the hosted page `/verify/{id}` and by the web component. Claims never appear here.',
  },
] as const

function findGroup({ path }: Route): string {
  const group = groups.find(({ prefix }) => path.startsWith(prefix))
  if (group === undefined) throw new Error(`The path ${path} belongs to no group.`)
  return group.name
}

function describeBody({ json, form }: Route): Json {
  const schema = json ?? form
  if (schema === undefined) return {}
  const media = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
  return { requestBody: { required: true, content: { [media]: { schema: schemaReference(schema) } } } }
}

function describeResponses(route: PublishedRoute, example: unknown): Json {
  const { status, body, description, media = 'application/json' } = route.success
  const codes = Map.groupBy(listRefusals(route), (code) => errorCodes[code].status)
  const refusals = [...codes]
    .toSorted(([a], [b]) => a - b)
    .map(([each, of]) => [each, describeRefusal(each, of)])
  return {
    [status]: {
      description,
      headers: responseHeaders(status, route),
      content: {
        [media]: {
          schema: media === 'application/json' ? schemaReference(body) : { type: 'string' },
          example,
        },
      },
    },
    ...Object.fromEntries(refusals),
  }
}

function listRefusals(route: Route): ErrorCode[] {
  const readsInput = route.json !== undefined || route.form !== undefined || route.query !== undefined
  const codes: ErrorCode[] = [
    ...(readsInput ? (['invalid_request'] as const) : []),
    ...(route.scope === undefined
      ? []
      : (['invalid_api_key', 'api_key_expired', 'insufficient_scope'] as const)),
    ...(route.not_found === undefined ? [] : [route.not_found]),
    ...(route.refusals ?? []),
    ...commonRefusals,
  ]
  return [...new Set(codes)]
}

function describeRefusal(status: number, codes: ErrorCode[]): Json {
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
      Link: { $ref: '#/components/headers/Link' },
      ...(statusesWithRetryAfter.has(status) && {
        'Retry-After': { $ref: '#/components/headers/Retry-After' },
      }),
      ...(status === 401 && { 'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' } }),
    },
    content: {
      'application/json': {
        schema: schemaReference(ErrorEnvelope),
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: { error: { code, message: errorMessage(code) } } }]),
        ),
      },
    },
  }
}

function errorMessage(code: ErrorCode): string {
  const error = errorCodes[code]
  if ('example' in error) return error.example
  throw new Error(`The error ${code} has no example.`)
}

function responseHeaders(status: number, route: Route): Json {
  const names = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']
  if (status === 201 && route.headers !== undefined) names.push('Idempotent-Replayed', 'X-Service-Warning')
  return {
    ...Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...(route.links_page === true && { Link: { $ref: '#/components/headers/Page-Link' } }),
  }
}

const headerComponents: Record<string, Json> = {
  'X-Request-Id': describeHeader(
    'Identifies this request in the logs. A well-formed value sent by the caller is returned unchanged.',
  ),
  Link: describeHeader('The documentation of the error code: `<…/docs/errors#code>; rel="help"`.'),
  'Page-Link': describeHeader(
    'The holder\'s page, which shows the same verification to a person: `<…/verify/{id}>; rel="alternate"; type="text/html"`.',
  ),
  'Retry-After': describeHeader('Seconds to wait before retrying.', { type: 'integer', minimum: 0 }),
  'WWW-Authenticate': describeHeader('`Bearer`.'),
  RateLimit: describeHeader(
    'Remaining requests of each rate limit, and the seconds until it is fully reset.',
  ),
  'RateLimit-Policy': describeHeader('The rate limits: requests and seconds.'),
  'Idempotent-Replayed': describeHeader(
    '`true` if this is the stored response to an earlier request with the same key.',
  ),
  'X-Service-Warning': describeHeader(
    'What was accepted but will cause trouble: place and rule of each mistake in the query, or an address without encryption. Several warnings are separated by `; `, which none contains.',
  ),
}

function describeHeader(description: string, schema: Json = { type: 'string' }): Json {
  return { description, schema }
}

function describeParameters(place: 'path' | 'query', schema: z.ZodObject | undefined): Json[] {
  if (schema === undefined) return []
  const { properties = {} } = jsonSchema(schema)
  return Object.entries(properties as Record<string, Json>).map(
    ([name, { description, examples, ...each }]) => ({
      name,
      in: place,
      required: place === 'path',
      // `metadata[order]=…`
      ...(each['type'] === 'object' && { style: 'deepObject', explode: true }),
      description,
      example: Array.isArray(examples) ? examples[0] : undefined,
      schema: each,
    }),
  )
}

/** Bodies are named components, so that generated clients have named types. */
function schemaReference(schema: z.ZodType): Json {
  const id = schema.meta()?.id
  if (id === undefined) throw new Error('A body schema has no id.')
  return { $ref: `#/components/schemas/${id}` }
}

function describeSchemas(): Record<string, Json> {
  const bodies = [
    ...Object.values<Route>(routes).flatMap(({ json, form, success }) => [json, form, success.body]),
    ...Object.values(webhooks).map(({ body }) => body),
  ]
  const named = new Map<string, Json>()
  for (const schema of [...bodies, ErrorEnvelope]) {
    if (schema?.meta()?.id === undefined) continue
    for (const [id, each] of Object.entries(listDefinitions(schema))) named.set(id, each)
  }
  return Object.fromEntries([...named].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function listDefinitions(schema: z.ZodType): Record<string, Json> {
  // Inside an array, zod writes every schema with an id to $defs.
  const { $defs = {} } = jsonSchema(z.array(schema))
  const text = JSON.stringify($defs).replaceAll('"#/$defs/', '"#/components/schemas/')
  return Object.fromEntries(
    Object.entries(JSON.parse(text) as Record<string, Json>).map(([id, { id: _, ...each }]) => [id, each]),
  )
}

function jsonSchema(schema: z.ZodType): Json & { properties?: unknown; $defs?: unknown } {
  return z.toJSONSchema(schema, {
    io: 'input',
    override({ zodSchema, jsonSchema: generated }) {
      const { published, description, examples } = z.globalRegistry.get(zodSchema) ?? {}
      if (typeof published !== 'object' || published === null) return
      for (const key of Object.keys(generated)) delete generated[key]
      Object.assign(
        generated,
        published,
        description !== undefined && { description },
        examples !== undefined && { examples },
      )
    },
  })
}
