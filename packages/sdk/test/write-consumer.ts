import {
  builtInTemplates,
  managementRoutes,
  openapiDocument,
  type BuiltInTemplateName,
} from '@vidimus/contract'

type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  title?: string
  'x-extensible-enum'?: string[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
}
type Content = { content: Record<string, { schema: Schema }> }
type Operation = {
  operationId: string
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: Content
  responses: Record<string, Partial<Content>>
  'x-codeSamples'?: { lang: string; source: string }[]
}
type OpenApiDocument = {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: { requestBody: Content } }>
  components: { schemas: Record<string, Schema> }
}

/** A device calls these with the device client, which keeps the tokens. The reference has no sample in TypeScript. */
const deviceCalls: Record<string, string> = {
  enrollDevice: `const device: sdk.Device = await till.pair('VD-7K3M-Q9XT')`,
  refreshDeviceToken: `const verification: sdk.Verification = await till.verifications.create({ template: 'age_over_18' })`,
  getTillSettings: `const settings: sdk.TillSettings = await till.till()`,
  checkPin: `const tried: sdk.PinCheck = await till.checkPin('4711')`,
  requestFromReader: `const session: sdk.RequestFromReader = { device_engagement: 'owBjMS4w', reader_key: 'pAEC' }
const { device_request }: sdk.ReaderRequest = await till.reader.request('vs_1', session)`,
  presentFromReader: `const presentation: sdk.PresentFromReader = { device_engagement: 'owBjMS4w', reader_key: 'pAEC', device_response: 'o2d2' }
const { status }: sdk.VerificationStatus = await till.reader.present('vs_1', presentation)`,
}

/**
 * Writes programs of a merchant who uses everything in the OpenAPI document: each operation, with the sample of the reference; each
 * parameter, each member and each value of an enum; each event. They are written from the document and not from the types of the SDK, so that an
 * operation, a value or an event that the SDK lacks does not compile.
 */
export function writeConsumer(document: unknown = openapiDocument()): Record<string, string> {
  const { paths, webhooks, components } = document as OpenApiDocument // generated from our own schemas
  const operations = Object.entries(paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([, methods]) => Object.values(methods))
  const samples = operations.map((operation) => [`${operation.operationId}.mts`, writeSample(operation)])
  const bodies = [
    ...operations.flatMap(({ requestBody, responses }) => [requestBody, ...successes(responses)]),
    ...Object.values(webhooks).map(({ post }) => post.requestBody),
  ].flatMap((body) => body?.content?.['application/json']?.schema ?? [])
  const managed = operations.filter(({ operationId }) => operationId in managementRoutes)
  return {
    ...Object.fromEntries(samples),
    'members.mts': writeMembers(components.schemas, bodies, managed),
    'events.mts': writeEvents(Object.entries(webhooks)),
    'results.mts': writeResults(components.schemas),
  }
}

/** A merchant who decides by the template and by the reason of a failure, known and not. */
function writeResults(schemas: Record<string, Schema>): string {
  const { template, error } = schemas['Verification']?.properties ?? {}
  const known = (schema: Schema = {}) => schema['x-extensible-enum'] ?? []
  const codes = known(error?.properties?.['code']).map((code) => JSON.stringify(code))
  const claims = known(template).flatMap((key) =>
    builtInTemplates[key as BuiltInTemplateName].map((claim) => {
      const name = claim.replace('{age}', '25')
      const type = name.startsWith('age_over_') ? 'true | undefined' : 'unknown'
      return `if (sdk.hasTemplate(verification, '${key}')) { const claim: ${type} = verification.claims?.${name}; console.log(claim) }`
    }),
  )
  return `import * as sdk from '@vidimus/sdk'
declare const verification: sdk.Verification
const reasons: Record<sdk.FailureCode, string> = { ${codes.map((code) => `${code}: ''`).join(', ')} }
if (sdk.failedWith(verification, ${codes.join(', ')})) console.log(reasons, verification.error?.code)
if (verification.template === 'hotel_check_in' || verification.error?.code === 'of_tomorrow') console.log(verification.claims?.['room'])
const created: sdk.CreateVerification[] = [{ template: 'age_over_18' }, { template: 'hotel_check_in' }]
console.log(created)
${claims.join('\n')}
`
}

function successes(responses: Operation['responses']): Partial<Content>[] {
  return Object.entries(responses).flatMap(([status, response]) => (status.startsWith('2') ? [response] : []))
}

function writeSample({ operationId, 'x-codeSamples': samples = [] }: Operation): string {
  const sample = samples.find(({ lang }) => lang === 'typescript')
  if (sample !== undefined) return sample.source
  const call = deviceCalls[operationId]
  if (call === undefined) throw new Error(`The SDK has no call for the operation ${operationId}.`)
  return `import * as sdk from '@vidimus/sdk'
const till = sdk.createDeviceClient({ baseUrl: 'https://verify.example', store: sdk.memoryStore() })
${call}
`
}

/** One line for each member of each body and each part of each managed operation: its type is exactly that of the document. */
function writeMembers(schemas: Record<string, Schema>, bodies: Schema[], managed: Operation[]): string {
  const reached = new Set<string>()
  const lines: string[] = []
  const visit = (schema: Schema, type: string): void => {
    if (schema.$ref !== undefined) {
      const name = nameOf(schema)
      lines.push(`same<${type}, sdk.${name}>(true)`)
      if (reached.has(name)) return
      reached.add(name)
      visit(schemas[name] ?? {}, `sdk.${name}`)
    } else if (schema.properties !== undefined) {
      for (const [name, member] of Object.entries(schema.properties)) {
        if (schema.required?.includes(name) !== true) lines.push(`optional<${type}, '${name}'>(true)`)
        lines.push(`nullable<${type}, '${name}'>(${isNullable(member) || isUnconstrained(member)})`)
        visit(withoutNull(member), `Exclude<${type}['${name}'], null | undefined>`)
      }
    } else if (schema.anyOf !== undefined) {
      lines.push(`same<${type}, ${schema.anyOf.map(writeType).join(' | ')}>(true)`)
      for (const each of schema.anyOf) if (each.$ref !== undefined) visit(each, writeType(each))
    } else if (schema.items !== undefined) visit(schema.items, `${type}[number]`)
    else if (typeof schema.additionalProperties === 'object')
      visit(schema.additionalProperties, `${type}[string]`)
    else if (isUnconstrained(schema)) lines.push(`same<NonNullable<${type}>, NonNullable<unknown>>(true)`)
    else lines.push(`same<${type}, ${writeType(schema)}>(true)`)
  }
  for (const body of bodies) visit(body, writeType(body))
  for (const operation of managed) {
    const { input, result } = describeManaged(operation)
    visit(input, `sdk.OperationInput<'${operation.operationId}'>`)
    visit(result, `sdk.OperationResult<'${operation.operationId}'>`)
  }
  return `import type * as sdk from '@vidimus/sdk'
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare function same<A, B>(is: Same<A, B>): void
declare function nullable<T, Member extends keyof T>(is: null extends T[Member] ? true : false): void
declare function optional<T, Member extends keyof T>(is: undefined extends T[Member] ? true : false): void
${lines.join('\n')}
`
}

/** What `call` takes for an operation, and what it returns. */
function describeManaged({
  parameters = [],
  requestBody,
  responses,
}: Operation): Record<'input' | 'result', Schema> {
  const placed = (place: string) =>
    parameters.filter((each) => each.in === place).map(({ name, schema }): [string, Schema] => [name, schema])
  const [params, query] = [placed('path'), placed('query')]
  const body = requestBody?.content['application/json']?.schema
  const [success] = successes(responses)
  return {
    input: {
      properties: {
        ...Object.fromEntries(params),
        ...(query.length > 0 && { query: { properties: Object.fromEntries(query) } }),
        ...(body !== undefined && { body }),
      },
      required: [...params.map(([name]) => name), 'body'],
    },
    result: Object.values(success?.content ?? {})[0]?.schema ?? {},
  }
}

function isNullable({ anyOf = [] }: Schema): boolean {
  return anyOf.some(({ type }) => type === 'null')
}

/** Any JSON value, also null. */
function isUnconstrained(schema: Schema): boolean {
  return Object.keys(schema).every((key) => key === 'description' || key === 'examples')
}

function withoutNull(schema: Schema): Schema {
  if (!isNullable(schema)) return schema
  const [first = {}, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  return others.length === 0 ? first : { anyOf: [first, ...others] }
}

function writeType({ $ref, enum: values, const: value, type, title, ...schema }: Schema): string {
  if ($ref !== undefined) return `sdk.${nameOf({ $ref })}`
  if (schema['x-extensible-enum'] !== undefined) return `sdk.${title} | (string & {})`
  if (values !== undefined) return values.map((each) => JSON.stringify(each)).join(' | ')
  if (value !== undefined) return JSON.stringify(value)
  const types = [type ?? 'unknown'].flat()
  return types
    .map((each) => (each === 'integer' ? 'number' : each === 'object' ? 'Record<string, unknown>' : each))
    .join(' | ')
}

/** A receiver of all events: each is selected by its type, and what remains is an unknown event. */
function writeEvents(webhooks: [string, { post: { requestBody: Content } }][]): string {
  const cases = webhooks.map(([type, { post }]) => {
    const body = nameOf(post.requestBody.content['application/json']?.schema ?? {})
    return `  case '${type}': { const known: sdk.${body} = event; console.log(known.type); break }`
  })
  return `import * as sdk from '@vidimus/sdk'
const event = await sdk.webhooks.verify({ body: '', headers: new Headers(), secret: process.env['SECRET'] })
switch (event.type) {
${cases.join('\n')}
  default: { const other: sdk.UnknownWebhookEvent = event; const type: string = other.type; console.log(type) }
}
`
}

function nameOf({ $ref = '' }: Schema): string {
  return $ref.slice('#/components/schemas/'.length)
}
