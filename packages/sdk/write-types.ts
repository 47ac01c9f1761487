import { errorStatus, openapiDocument } from '@vidimus/contract'

type Schema = {
  $ref?: string
  description?: string
  type?: string | string[]
  enum?: string[]
  const?: string
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
}

/** Bodies for wallets and for the holder's page, and the error envelope, which the SDK turns into an `ApiError`. */
const excludedSchemas = new Set(['WalletForm', 'WalletAnswer', 'DcRequests', 'HolderSession', 'Error'])

/** What a merchant writes, and what is shown only once: comments explain their members. On all types they would make the package too large. */
const commentedSchemas = new Set(['CreateVerification', 'RegisteredDevice', 'TokenPair'])

/** Generates plain TypeScript types from the contract, so that the published package depends on neither the contract nor zod. */
export function generateTypes(): string {
  // The document was just generated from our own schemas.
  const { components } = openapiDocument() as { components: { schemas: Record<string, Schema> } }
  const bodies = Object.entries(components.schemas)
    .filter(([name]) => !excludedSchemas.has(name))
    .map(([name, schema]) => [name, commentedSchemas.has(name) ? schema : withoutComments(schema)] as const)
    .map(([name, schema]) => `${writeComment(schema, '')}export type ${name} = ${writeType(schema, '')}\n`)
  const codes = Object.keys(errorStatus).map((code) => `  | '${code}'\n`)
  return [
    '// Generated from the contract by write-types.ts; a test compares. Change the contract, then run the build.\n',
    ...bodies,
    `/** The error codes of the API. Codes are stable. */\nexport type ErrorCode =\n${codes.join('')}`,
  ].join('\n')
}

function withoutComments(schema: Schema): Schema {
  const json = JSON.stringify(schema, (key, value: unknown) => (key === 'description' ? undefined : value))
  return JSON.parse(json) as Schema
}

function writeType(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.slice('#/components/schemas/'.length)
  if (schema.enum !== undefined) return schema.enum.map(quote).join(' | ')
  if (schema.const !== undefined) return quote(schema.const)
  if (Array.isArray(schema.type)) return schema.type.map((type) => writeType({ type }, indent)).join(' | ')
  switch (schema.type) {
    case 'string':
    case 'boolean':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `${writeType(schema.items ?? {}, indent)}[]`
    case 'object':
      return schema.properties === undefined ? writeRecord(schema, indent) : writeMembers(schema, indent)
    case undefined:
      return 'unknown'
    default:
      throw new Error(`Schemas of type ${schema.type} are not supported.`)
  }
}

function writeRecord({ additionalProperties }: Schema, indent: string): string {
  return `Record<string, ${writeType(typeof additionalProperties === 'object' ? additionalProperties : {}, indent)}>`
}

function writeMembers({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, schema]) => {
    const type = writeType(schema, inner)
    const member = required.includes(name) ? `${name}: ${type}` : `${name}?: ${type} | undefined`
    return `${writeComment(schema, inner)}${inner}${member}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

function writeComment({ description }: Schema, indent: string): string {
  return description === undefined ? '' : `${indent}/** ${description} */\n`
}

function quote(text: string): string {
  return `'${text}'`
}
