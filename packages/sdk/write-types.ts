import {
  builtInTemplates,
  errorCodes,
  failureCodes,
  managementRoutes,
  openapiDocument,
  webhooks,
} from '@vidimus/contract'
import { compile, type JSONSchema } from 'json-schema-to-typescript'

/** Bodies for wallets and for the holder's page, and the error envelope, which the SDK turns into an `ApiError`. */
const excluded = ['WalletForm', 'WalletAnswer', 'DcRequests', 'HolderSession', 'Error']
const banner =
  '// Generated from the contract by write-types.ts; a test compares. Change the contract, then run the build.'

type Body = { content: Record<string, { schema: JSONSchema }> }
type Operation = {
  operationId: string
  summary: string
  parameters?: { name: string; in: string; description: string; schema: JSONSchema }[]
  requestBody?: Body
  responses: Record<string, Body>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JSONSchema> }
}

/** Generates plain TypeScript types from the contract, so that the published package depends on neither the contract nor zod. */
export async function generateTypes(): Promise<string> {
  const document = readDocument()
  const { components } = document
  const refer = (name = '') => ({ $ref: `#/components/schemas/${name}` })
  const events = new Set(Object.values(webhooks).map(({ body }) => body.meta()?.id))
  const names = Object.keys(components.schemas).filter((name) => !excluded.includes(name))
  const properties = {
    ...Object.fromEntries(names.map((name) => [name, refer(name)])),
    events: {
      title: 'KnownWebhookEvent',
      anyOf: [...events].map(refer),
      description: 'An event that the service sends, by `type`.',
    },
    codes: {
      title: 'ErrorCode',
      enum: Object.keys(errorCodes),
      description: 'The error codes of the API. Codes are stable.',
    },
    failures: {
      title: 'FailureCode',
      enum: failureCodes,
      description: 'Why a verification failed, by the code of its `error`. A newer service can have others.',
    },
    claims: { title: 'BuiltInClaims', ...describeClaims() },
    templates: {
      tsType: 'keyof BuiltInClaims',
      title: 'BuiltInTemplate',
      description: 'The key of a template that every tenant has.',
    },
    operations: {
      title: 'Operations',
      ...describeObject(
        listOperations(document).map(({ operation }) => [
          operation.operationId,
          describeOperation(operation),
        ]),
      ),
      description: 'What `call` can do, by the name of the operation in the API reference.',
    },
  }
  const schema: JSONSchema = JSON.parse(JSON.stringify({ components, properties }), (_, value) =>
    value?.type === 'object' && value.properties !== undefined ? describeMembers(value) : openEnum(value),
  )
  const types = await compile(schema, 'Root', {
    additionalProperties: false,
    bannerComment: banner,
    ignoreMinAndMaxItems: true,
    style: { semi: false, singleQuote: true, printWidth: 110 },
  })
  return types.replace(/^export interface Root \{[^}]*\}\n/m, '')
}

/** Generates the table from which `call` sends requests. */
export function generateOperations(): string {
  const document = readDocument()
  const entries = listOperations(document).map(({ operation, method, path }) => {
    const { media, schema } = successOf(operation)
    const accept = media === 'application/json' ? '' : `, accept: '${media}'`
    const retry = isRepeatable(method, document, schema) ? 'always' : 'unless_lost'
    return `  ${operation.operationId}: { method: '${method}', path: '${path}', retry: '${retry}'${accept} },`
  })
  return `${banner}
import type { Call } from './send.ts'
import type { Operations } from './types.ts'

export const operations: Record<keyof Operations, Pick<Call, 'method' | 'path' | 'retry' | 'accept'>> = {
${entries.join('\n')}
}
`
}

function readDocument(): Document {
  return openapiDocument() as Document // generated from our own schemas
}

function listOperations({ paths }: Document): { operation: Operation; method: string; path: string }[] {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        operation,
        method: method.toUpperCase(),
        path,
      })),
    )
    .filter(({ operation }) => operation.operationId in managementRoutes)
}

/** Whether a request can be sent again if its response was lost. A secret is only in the first response. */
function isRepeatable(method: string, { components }: Document, { $ref = '' }: JSONSchema): boolean {
  const { properties = {} } = components.schemas[$ref.slice('#/components/schemas/'.length)] ?? {}
  return ['GET', 'PUT', 'PATCH'].includes(method) && properties['secret'] === undefined
}

function describeOperation(operation: Operation): JSONSchema {
  const { summary, parameters = [], requestBody } = operation
  const placed = (place: string) =>
    parameters.flatMap(({ name, in: at, description, schema }): [string, JSONSchema][] =>
      at === place ? [[name, { ...schema, description }]] : [],
    )
  const query = placed('query')
  const input = describeObject([
    ...placed('path'),
    ...Object.values(requestBody?.content ?? {}).map(({ schema }): [string, JSONSchema] => ['body', schema]),
  ])
  const result = successOf(operation).schema
  return {
    ...describeObject([
      [
        'input',
        query.length === 0
          ? input
          : {
              ...input,
              properties: { ...input.properties, query: { ...describeObject(query), required: [] } },
            },
      ],
      ['result', result],
    ]),
    description: `${summary}.`,
  }
}

function successOf({ responses }: Operation): { media: string; schema: JSONSchema } {
  const [[media, { schema }] = ['', { schema: {} }]] = Object.entries(responses).flatMap(
    ([status, { content }]) => (status.startsWith('2') ? Object.entries(content) : []),
  )
  return { media, schema }
}

/** The claims of each built-in template. None is certain to be there, and only an age that is a requirement has a certain value. */
function describeClaims(): JSONSchema {
  const members = Object.entries(builtInTemplates).map(([key, claims]): [string, JSONSchema] => {
    const types = claims.map((claim) => {
      const name = claim.includes('{age}') ? '[age: `age_over_${number}`]' : `${claim}?`
      return `${name}: ${claim.startsWith('age_over_') ? 'true' : 'unknown'}`
    })
    return [key, { tsType: `{ ${types.join('; ')} }` }]
  })
  return {
    ...describeObject(members),
    description: 'The claims of a completed verification, by built-in template.',
  }
}

/** An object with these members, all of which it must have. */
function describeObject(members: [string, JSONSchema][]): JSONSchema {
  return { type: 'object', properties: Object.fromEntries(members), required: members.map(([name]) => name) }
}

/** Known values, which an editor offers, or any other. */
function openEnum(schema: JSONSchema | null): unknown {
  if (schema?.['x-extensible-enum'] === undefined) return schema
  const { description, title } = schema
  return { description, tsType: `(${title} | (string & {}))` }
}

/** A member that can be absent can also be undefined, for merchants who compile with `exactOptionalPropertyTypes`. */
function describeMembers({ properties = {}, required, ...schema }: JSONSchema): JSONSchema {
  const members = Object.entries(properties).map(([name, member]) => {
    const { description, ...type } = member
    // The compiler would take any JSON value for an object.
    if (Object.keys(type).every((key) => key === 'examples'))
      return [name, { description, tsType: 'unknown' }]
    if (!Array.isArray(required) || !required.includes(name))
      return [name, { description, anyOf: [type, { tsType: 'undefined' }] }]
    // The compiler would copy a type whose reference has a description.
    return [name, type.$ref === undefined ? member : { description, anyOf: [type] }]
  })
  return { ...schema, required, properties: Object.fromEntries(members) }
}
