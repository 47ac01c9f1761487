import type { z } from 'zod'
import { openapiDocument } from '../openapi.ts'
import type { Route } from '../route.ts'
import { routes } from '../routes.ts'
import { exampleOf, type Operation } from './examples.ts'

type DocumentedOperation = {
  operationId: Operation
  tags: string[]
  summary: string
  description?: string
  parameters?: { name: string; in: string; description?: string; example?: unknown }[]
}
type Document = {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, DocumentedOperation>>
}

/** A collection for Postman and Bruno (format 2.1): every operation for merchants, in the folders of the API reference, with an example. */
export function postmanCollection(): object {
  const { tags, paths } = openapiDocument() as Document // generated from our own schemas
  const operations = Object.entries(paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([, methods]) => Object.values(methods))
  return {
    info: {
      name: 'Vidimus',
      description: 'Set VIDIMUS_URL to the address of the service, and VIDIMUS_KEY to an API key.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{VIDIMUS_KEY}}', type: 'string' }] },
    variable: [
      { key: 'VIDIMUS_URL', value: 'https://verify.example' },
      { key: 'VIDIMUS_KEY', value: '' },
    ],
    item: tags
      .map(({ name, description }) => ({
        name,
        description,
        item: operations.filter((operation) => operation.tags[0] === name).map(describeItem),
      }))
      .filter(({ item }) => item.length > 0),
  }
}

function describeItem({ operationId, summary, description = '', parameters = [] }: DocumentedOperation) {
  const route: Route = routes[operationId]
  const placed = (place: string) =>
    parameters
      .filter((each) => each.in === place)
      .map((each) => ({ key: each.name, value: writeExample(each.example), description: each.description }))
  const query = placed('query').map((each) => ({ ...each, disabled: true }))
  const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1')
  return {
    name: summary,
    request: {
      method: route.method,
      description: `${operationId}. ${description}`.trim(),
      ...(route.scope === undefined && { auth: { type: 'noauth' } }),
      header: placed('header').map((each) =>
        each.key === 'Idempotency-Key' ? { ...each, value: '{{$guid}}' } : { ...each, disabled: true },
      ),
      url: {
        raw: `{{VIDIMUS_URL}}${path}`,
        host: ['{{VIDIMUS_URL}}'],
        path: path.slice(1).split('/'),
        ...(query.length > 0 && { query }),
        variable: Object.entries(route.params?.shape ?? {}).map(([key, schema]) => ({
          key,
          value: String(exampleOf(schema as z.ZodType)),
        })),
      },
      ...(route.json !== undefined && {
        body: {
          mode: 'raw',
          raw: JSON.stringify(exampleOf(route.json), null, 2),
          options: { raw: { language: 'json' } },
        },
      }),
    },
  }
}

function writeExample(example: unknown): string {
  return typeof example === 'string' ? example : (JSON.stringify(example) ?? '')
}
