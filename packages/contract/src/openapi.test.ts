import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openapiDocument } from './openapi.ts'
import { responseExamples, type Operation } from './reference/examples.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'

type Described = { description?: string; examples?: unknown[]; $ref?: string }
type Schema = Described & { properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] }
type Document = {
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, Schema> }
}
type DocumentedOperation = {
  operationId: string
  parameters?: { name: string; in: string; description?: string; example?: unknown }[]
  responses: Record<string, { description: string; content: Record<string, Record<string, unknown>> }>
  'x-codeSamples'?: { label: string }[]
}

const document = openapiDocument() as Document
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

test('[GEN-4] the committed OpenAPI document matches the schemas and has version 0.1.0', () => {
  const committed: unknown = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'))

  expect(document).toEqual(committed)
  expect(committed).toMatchObject({ openapi: '3.1.0', info: { version: '0.1.0' } })
})

test('every property is described and has an example, or consists of such properties', () => {
  const properties = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    listProperties(name, schema),
  )
  const bare = properties.filter(
    ([, schema]) =>
      schema.$ref === undefined &&
      (schema.description === undefined || (schema.examples === undefined && !hasDescribedParts(schema))),
  )

  expect(properties.length).toBeGreaterThan(100)
  expect(bare.map(([path]) => path)).toEqual([])
})

test('every parameter and every response is described, with an example', () => {
  const bareParameters = operations.flatMap(({ operationId, parameters = [] }) =>
    parameters
      // The text of a header says what to send.
      .filter(
        (each) => each.description === undefined || (each.in !== 'header' && each.example === undefined),
      )
      .map(({ name }) => `${operationId} ${name}`),
  )
  const bareResponses = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { description, content }]) =>
      Object.values(content)
        .filter((each) => description.length < 10 || !('example' in each || 'examples' in each))
        .map(() => `${operationId} ${status}`),
    ),
  )

  expect(bareParameters).toEqual([])
  expect(bareResponses).toEqual([])
})

test.each(Object.entries(routes) as [Operation, Route][])(
  'the example response of %s has the form that the route returns',
  (operation, { success }) => {
    expect(success.body.safeParse(responseExamples[operation]).error).toBeUndefined()
  },
)

test('every operation for merchants has samples in five languages, where the SDK offers it', () => {
  const labels = operations
    .filter(({ operationId }) => routes[operationId as Operation].path.startsWith('/v1/'))
    .map(({ operationId, 'x-codeSamples': samples = [] }) => [operationId, samples.map(({ label }) => label)])
  const complete = ['curl', 'TypeScript', 'Python', 'PHP', 'Go']

  expect(Object.fromEntries(labels)).toEqual(
    Object.fromEntries(
      labels.map(([operation]) => [
        operation,
        // Devices call these, with the SDK's device client.
        [
          'enrollDevice',
          'refreshDeviceToken',
          'requestFromReader',
          'presentFromReader',
          'getTillSettings',
          'checkPin',
        ].includes(String(operation))
          ? complete.filter((label) => label !== 'TypeScript')
          : complete,
      ]),
    ),
  )
})

function hasDescribedParts({ $ref, properties, items, anyOf }: Schema): boolean {
  const [part] = anyOf ?? (items === undefined ? [] : [items])
  return $ref !== undefined || properties !== undefined || (part !== undefined && hasDescribedParts(part))
}

function listProperties(path: string, schema: Schema): [string, Schema][] {
  const own = Object.entries(schema.properties ?? {}).map(
    ([name, each]) => [`${path}.${name}`, each] satisfies [string, Schema],
  )
  return [
    ...own,
    ...own.flatMap(([name, each]) => listProperties(name, each)),
    ...(schema.items === undefined ? [] : listProperties(`${path}[]`, schema.items)),
    ...(schema.anyOf ?? []).flatMap((each) => listProperties(path, each)),
  ]
}
