import { openapiDocument } from '@vidimus/contract'
import { deviceOperations, opaqueSchemas, repeatable, resources } from './resources.ts'
import { pascal } from './text.ts'

export type Type =
  | { kind: 'string' | 'integer' | 'number' | 'boolean' | 'any' }
  | { kind: 'list' | 'map'; of: Type }
  | { kind: 'model'; name: string }
export type Member = {
  /** As it is sent. */
  name: string
  type: Type
  required: boolean
  nullable: boolean
  /** An empty text means something else than none. */
  emptyable: boolean
  about: string
}
/** An object that the service returns. */
export type Model = { name: string; about: string; members: Member[] }
export type Operation = {
  id: string
  about: string
  method: string
  path: string
  params: string[]
  /** The members of the query and the headers, which the caller can leave out. */
  options: Member[]
  /** The options that are sent in the query, and those that are sent as headers. */
  query: Member[]
  headers: Member[]
  /** One of the options is its idempotency key, which is made if the caller gives none. */
  keyed: boolean
  /** The members of the body, `document` for one that is passed on as it is. */
  body: { name: string; about: string; members: Member[] } | 'document' | undefined
  result: Type
  /** `dry_run`: again if the option of that name is set. */
  retry: 'always' | 'unless_lost' | 'dry_run'
  /** The media type of a response that is text. */
  accept: string | undefined
  /** Pages continue before a time. */
  paged: boolean
}
export type Resource = { name: string; about: string; methods: { name: string; operation: Operation }[] }
export type Contract = { models: Model[]; resources: Resource[]; called: Operation[] }

type Schema = {
  $ref?: string
  type?: string | string[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  description?: string
  enum?: unknown[]
  format?: string
  minLength?: number
}
type Content = { content: Record<string, { schema: Schema }>; headers?: Record<string, unknown> }
type DocumentedOperation = {
  operationId: string
  summary: string
  security: unknown[]
  parameters?: { name: string; in: 'path' | 'query' | 'header'; description: string; schema: Schema }[]
  requestBody?: Content
  responses: Record<string, Content>
}
type Document = {
  paths: Record<string, Record<string, DocumentedOperation>>
  webhooks: Record<string, { post: { requestBody: Content } }>
  components: { schemas: Record<string, Schema> }
}

/** Reads from the OpenAPI document what the printers of all languages need. */
export function readContract(): Contract {
  const { paths, webhooks, components } = openapiDocument() as Document // generated from our own schemas
  const models = new Map<string, Model>()
  const operations = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, documented]) => [
        documented.operationId,
        { documented, method: method.toUpperCase(), path },
      ]),
    ),
  )

  const read = (id: string): Operation => {
    const found = operations.get(id)
    if (found === undefined) throw new Error(`The contract has no operation ${id}.`)
    const { documented, method, path } = found
    const { parameters = [], requestBody, responses, summary } = documented
    const [success] = Object.entries(responses).flatMap(([status, body]) =>
      status.startsWith('2') ? [body] : [],
    )
    const [[media, { schema }] = ['', { schema: {} }]] = Object.entries(success?.content ?? {})
    const result = readType(schema, id)
    if (success?.headers?.['Link'] !== undefined) addPage(result)
    const placed = (place: string) =>
      parameters
        .filter((each) => each.in === place)
        .map(({ name, description, schema: option }) =>
          readMember(name, { ...option, description }, { required: false, parent: id }),
        )
    const [query, headers] = [placed('query'), placed('header')]
    const options = [...query, ...headers]
    return {
      id,
      about: `${summary}.`,
      method,
      path,
      params: parameters.filter((each) => each.in === 'path').map(({ name }) => name),
      options,
      query,
      headers: headers.filter(({ name }) => name !== 'Idempotency-Key'),
      keyed: headers.some(({ name }) => name === 'Idempotency-Key'),
      body: readBody(requestBody, components.schemas),
      result,
      retry: retryOf(id, method, schema),
      accept: media === 'application/json' ? undefined : media,
      paged:
        options.some(({ name }) => name === 'before') &&
        options.some(({ name }) => name === 'limit') &&
        memberOf(schema, 'next_before') !== undefined,
    }
  }

  const memberOf = ({ $ref }: Schema, name: string) => components.schemas[nameOf($ref)]?.properties?.[name]

  /** A secret is only in the first response. */
  const retryOf = (id: string, method: string, schema: Schema): Operation['retry'] => {
    if (id === 'applyConfig') return 'dry_run'
    if (repeatable.has(id)) return 'always'
    const replaces = ['GET', 'PUT', 'PATCH'].includes(method)
    return replaces && memberOf(schema, 'secret') === undefined ? 'always' : 'unless_lost'
  }

  /** What `page_url` of the SDKs returns: the service names the page in a header. */
  const addPage = (type: Type) => {
    const model = type.kind === 'model' ? models.get(type.name) : undefined
    if (model === undefined || model.members.some(({ name }) => name === 'page_url')) return
    model.members.push(
      synthetic('page_url', { kind: 'string' }, "The address of the holder's page, if the service named it."),
    )
  }

  const readType = (schema: Schema, parent: string): Type => {
    if (schema.$ref !== undefined) {
      const name = nameOf(schema.$ref)
      if (opaqueSchemas.has(name)) return { kind: 'map', of: { kind: 'any' } }
      if (!models.has(name)) addModel(name, components.schemas[name] ?? {})
      return { kind: 'model', name }
    }
    const [only, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
    if (only !== undefined) return others.length === 0 ? readType(only, parent) : { kind: 'any' }
    if (schema.type === 'array') return { kind: 'list', of: readType(schema.items ?? {}, parent) }
    if (schema.properties !== undefined) {
      addModel(parent, schema)
      return { kind: 'model', name: parent }
    }
    if (schema.type === 'object') {
      const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {}
      return { kind: 'map', of: readType(values, parent) }
    }
    return { kind: scalars.find((scalar) => scalar === schema.type) ?? 'any' }
  }

  const readMember = (
    name: string,
    schema: Schema,
    { required, parent }: { required: boolean; parent: string },
  ): Member => ({
    name,
    type: readType(schema, parent + pascal(singular(name, schema))),
    required,
    nullable: schema.anyOf?.some(({ type }) => type === 'null') === true,
    emptyable:
      schema.type === 'string' &&
      schema.enum === undefined &&
      schema.format === undefined &&
      !schema.minLength,
    about: schema.description ?? '',
  })

  const addModel = (name: string, { properties = {}, required = [], description = '' }: Schema) => {
    const model: Model = { name, about: description, members: [] }
    models.set(name, model)
    for (const [each, schema] of Object.entries(properties))
      model.members.push(readMember(each, schema, { required: required.includes(each), parent: name }))
  }

  const readBody = (
    body: Content | undefined,
    schemas: Document['components']['schemas'],
  ): Operation['body'] => {
    const schema = body?.content['application/json']?.schema
    if (schema === undefined) return undefined
    const name = nameOf(schema.$ref)
    if (opaqueSchemas.has(name)) return 'document'
    const { properties = {}, required = [], description = '' } = schemas[name] ?? {}
    // A document in a body, such as a DCQL query, has the form that its specification says.
    const members = Object.entries(properties).map(([each, { properties: _nested, ...member }]) =>
      readMember(each, member, { required: required.includes(each), parent: name }),
    )
    return { name, about: description, members }
  }

  const listed = Object.entries(resources).map(([name, { about, methods }]) => ({
    name,
    about,
    methods: Object.entries(methods).map(([method, id]) => ({ name: method, operation: read(id) })),
  }))
  addEvents(webhooks)

  const own = new Set(Object.values(resources).flatMap(({ methods }) => Object.values(methods)))
  const others = [...operations.values()].filter(
    ({ documented: { operationId, security }, path }) =>
      path.startsWith('/v1/') &&
      security.length > 0 &&
      !own.has(operationId) &&
      !deviceOperations.has(operationId),
  )
  // The other operations return JSON as it is, so they add no models.
  const kept = new Map(models)
  const called = others.map(({ documented }) => read(documented.operationId))
  return { models: [...kept.values()], resources: listed, called }

  /** One model for every event: which members it has depends on its type. */
  function addEvents(events: Document['webhooks']): void {
    const members = new Map<string, Member>()
    for (const { post } of Object.values(events)) {
      const { properties = {} } =
        components.schemas[nameOf(post.requestBody.content['application/json']?.schema.$ref)] ?? {}
      for (const [name, schema] of Object.entries(properties))
        members.set(name, {
          ...readMember(name, schema, { required: name === 'type', parent: 'WebhookEvent' }),
          ...eventTexts[name],
        })
    }
    const raw = synthetic(
      'raw',
      { kind: 'map', of: { kind: 'any' } },
      'The event as it was sent, with the members that this version does not know.',
    )
    models.set('WebhookEvent', {
      name: 'WebhookEvent',
      about:
        'An event that the service signed. One of a type that this version does not know has `raw`: acknowledge and ignore it.',
      members: [...members.values(), raw],
    })
  }
}

const eventTexts: Record<string, { about: string }> = {
  type: {
    about:
      'What happened, such as `verification.completed` or `alert.raised`. `webhook.test` comes from the dashboard: take no action.',
  },
  verification: { about: 'The verification, in events about one.' },
  alert: { about: 'The alert, in events about one.' },
  environment: { about: 'The environment of a test event.' },
}

const scalars = ['string', 'integer', 'number', 'boolean'] as const

function synthetic(name: string, type: Type, about: string): Member {
  return { name, type, required: false, nullable: false, emptyable: false, about }
}

function singular(name: string, { type }: Schema): string {
  return type === 'array' ? name.replace(/s$/, '') : name
}

function nameOf(reference = ''): string {
  return reference.slice('#/components/schemas/'.length)
}
