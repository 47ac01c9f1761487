import { errorCodes, openapiDocument, webhooks } from '@vidimus/contract'
import { compile, type JSONSchema } from 'json-schema-to-typescript'

/** Bodies for wallets and for the holder's page, and the error envelope, which the SDK turns into an `ApiError`. */
const excluded = ['WalletForm', 'WalletAnswer', 'DcRequests', 'HolderSession', 'Error']

/** Generates plain TypeScript types from the contract, so that the published package depends on neither the contract nor zod. */
export async function generateTypes(): Promise<string> {
  const { components } = JSON.parse(JSON.stringify(openapiDocument()), (_, value) =>
    value?.type === 'object' && value.properties !== undefined ? allowUndefined(value) : value,
  )
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
  }
  const types = await compile({ properties, components }, 'Root', {
    additionalProperties: false,
    bannerComment:
      '// Generated from the contract by write-types.ts; a test compares. Change the contract, then run the build.',
    ignoreMinAndMaxItems: true,
    style: { semi: false, singleQuote: true, printWidth: 110 },
  })
  return types.replace(/^export interface Root \{[^}]*\}\n/m, '')
}

/** A member that can be absent can also be undefined, for merchants who compile with `exactOptionalPropertyTypes`. */
function allowUndefined({ properties = {}, required, ...schema }: JSONSchema): JSONSchema {
  const members = Object.entries(properties).map(([name, member]) => {
    if (Array.isArray(required) && required.includes(name)) return [name, member]
    const { description, ...type } = member
    return [name, { description, anyOf: [type, { tsType: 'undefined' }] }]
  })
  return { ...schema, required, properties: Object.fromEntries(members) }
}
