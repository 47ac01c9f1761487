import { Scope, scopes as allScopes } from '@vidimus/contract'
import { createKey, keyLifetimes_days, listKeys, revokeKey } from '../../accounts/index.ts'
import { command, printResult, UsageError } from './command.ts'
import {
  jsonLinesOption,
  jsonOption,
  tenantOption,
  parseEnvironment,
  parseName,
  parseUuid,
} from './options.ts'
import { withContext } from './with-context.ts'

export const keyCreateCommand = command({
  options: {
    tenant: tenantOption,
    env: { type: 'string', required: true, description: 'test or live' },
    scopes: { type: 'string', required: true, description: `comma-separated: ${allScopes.join(', ')}` },
    expires: { type: 'string', description: '30, 90 or 365 days, or never (default)' },
    name: { type: 'string', description: 'a label' },
    json: jsonOption,
  },
  async run({ values }) {
    const input = {
      by: { kind: 'operator', tenant_id: parseUuid('tenant', values.tenant) } as const,
      environment: parseEnvironment(values.env),
      scopes: parseScopes(values.scopes),
      lifetime_days: parseLifetime(values.expires),
      name: values.name === undefined ? undefined : parseName(values.name),
    }
    const key = await withContext((ctx) => createKey(ctx, input))
    printResult(values, key, [
      `key      ${key.key}`,
      `id       ${key.key_id}`,
      `scopes   ${key.scopes.join(', ')}`,
      `expires  ${key.expires_at ?? 'never'}`,
    ])
  },
})

export const keyListCommand = command({
  options: { tenant: tenantOption, json: jsonLinesOption },
  async run({ values }) {
    const tenant_id = parseUuid('tenant', values.tenant)
    const keys = await withContext((ctx) => listKeys(ctx, { tenant_id }))
    for (const {
      id,
      prefix,
      environment,
      name,
      scopes,
      expires_at,
      revoked_at,
      last_used_at,
      created_at,
    } of keys) {
      const state = revoked_at === null ? `expires ${expires_at ?? 'never'}` : `revoked ${revoked_at}`
      const dates = { created_at, expires_at, revoked_at, last_used_at }
      const known = Object.fromEntries(Object.entries(dates).filter(([, time]) => time !== null))
      printResult(values, { key_id: id, prefix, environment, name, scopes, ...known }, [
        `${id}  ${prefix}…  ${environment}  ${state}  ${scopes.join(',')}  ${name}`,
      ])
    }
  },
})

export const keyRevokeCommand = command({
  options: {
    tenant: tenantOption,
    'key-id': { type: 'string', required: true, description: "the key's id" },
    json: jsonOption,
  },
  async run({ values }) {
    const by = { kind: 'operator', tenant_id: parseUuid('tenant', values.tenant) } as const
    const key_id = parseUuid('key-id', values['key-id'])
    const { revoked_at } = await withContext((ctx) => revokeKey(ctx, { by, key_id }))
    printResult(values, { key_id, revoked_at }, [`${key_id} was revoked at ${revoked_at}.`])
  },
})

function parseScopes(text: string): Scope[] {
  return text.split(',').map((part) => {
    const scope = Scope.safeParse(part.trim())
    if (!scope.success)
      throw new UsageError(`--scopes must be comma-separated values of ${allScopes.join(', ')}`)
    return scope.data
  })
}

function parseLifetime(text: string | undefined): (typeof keyLifetimes_days)[number] | undefined {
  if (text === undefined || text === 'never') return undefined
  const found = keyLifetimes_days.find((days) => String(days) === text)
  if (found === undefined) throw new UsageError('--expires must be never, 30, 90 or 365')
  return found
}
