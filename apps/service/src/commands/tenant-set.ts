import { getPolicies } from '../tenants/get-policies.ts'
import { setPolicies, type SetPolicies } from '../tenants/set-policies.ts'
import { getTenantTrust } from '../trust/tenant/get.ts'
import { setTrustPolicy, type SetTrustPolicy } from '../trust/tenant/set-policy.ts'
import { setIdentity, type SetIdentity } from '../trust/identity/set-identity.ts'
import { command, printResult, UsageError } from './command.ts'
import { jsonOption, tenantOption, readFileOption, parseUuid } from './options.ts'
import { withContext } from './with-context.ts'

export const tenantSetCommand = command({
  summary:
    "Sets a tenant's policies and its access certificate. Options that are not given stay unchanged; open sessions are not affected.",
  options: {
    tenant: tenantOption,
    retention: { type: 'string', description: 'days to keep results (1-365), or on_delivery' },
    'hold-back': {
      type: 'string',
      description: 'on: a result with a redirect is hidden until its code is redeemed; off',
    },
    'status-unavailable': { type: 'string', description: 'fail or warn if a revocation list is unavailable' },
    trust: {
      type: 'string',
      description: "all: the environment's anchors and its own (`trust add --tenant`); own: only its own",
    },
    'signing-key': {
      type: 'string',
      description: "PEM file with the key of the tenant's own access certificate",
    },
    'signing-cert': {
      type: 'string',
      description: "PEM file with its chain, leaf first; or none, to use the service's own",
    },
    'verifier-info': { type: 'string', description: 'JSON file with a verifier_info for wallets; or none' },
    json: jsonOption,
  },
  async run({ values }) {
    const tenant_id = parseUuid('tenant', values.tenant)
    const policies = parsePolicies(values)
    const identity = parseIdentity(values)
    const trust = values.trust === undefined ? undefined : parseTrustPolicy(values.trust)
    if (trust === undefined && Object.keys({ ...policies, ...identity }).length === 0)
      throw new UsageError('Give at least one option to set')

    const current = await withContext(async (ctx) => {
      if (Object.keys(identity).length > 0) await setIdentity(ctx, { tenant_id, ...identity })
      if (trust !== undefined)
        await setTrustPolicy(ctx, { by: { kind: 'operator', tenant_id }, policy: trust })
      const resulting =
        Object.keys(policies).length > 0
          ? await setPolicies(ctx, { tenant_id, ...policies })
          : await getPolicies(ctx, tenant_id)
      return { ...resulting, trust: (await getTenantTrust(ctx, tenant_id)).policy }
    })
    printResult(values, { tenant_id, ...current }, [
      `retention           ${current.retention_days} days${current.forget_on_delivery ? ', or until delivery' : ''}`,
      `hold back           ${current.hold_back ? 'on' : 'off'}`,
      `status unavailable  ${current.status_unavailable}`,
      `trust               ${current.trust}`,
    ])
  },
})

type PolicyOptions = Record<'retention' | 'hold-back' | 'status-unavailable', string | undefined>

function parsePolicies(given: PolicyOptions): Omit<SetPolicies, 'tenant_id'> {
  return {
    ...(given.retention !== undefined && parseRetention(given.retention)),
    ...(given['hold-back'] !== undefined && {
      hold_back: parseChoice('--hold-back', given['hold-back'], { on: true, off: false }),
    }),
    ...(given['status-unavailable'] !== undefined && {
      status_unavailable: parseChoice('--status-unavailable', given['status-unavailable'], {
        fail: 'fail' as const,
        warn: 'warning' as const,
      }),
    }),
  }
}

/** `on_delivery` keeps the number of days: results that are never delivered are deleted then. */
function parseRetention(given: string): Omit<SetPolicies, 'tenant_id'> {
  if (given === 'on_delivery') return { forget_on_delivery: true }
  const days = /^\d{1,3}$/.test(given) ? Number(given) : 0
  if (days < 1 || days > 365) throw new UsageError('--retention must be 1-365 days, or on_delivery')
  return { retention_days: days, forget_on_delivery: false }
}

function parseChoice<Value>(option: string, given: string, values: Record<string, Value>): Value {
  const value = Object.hasOwn(values, given) ? values[given] : undefined
  if (value === undefined) throw new UsageError(`${option} must be ${Object.keys(values).join(' or ')}`)
  return value
}

function parseTrustPolicy(given: string): SetTrustPolicy['policy'] {
  return parseChoice('--trust', given, { all: 'all' as const, own: 'own' as const })
}

type IdentityOptions = Record<'signing-key' | 'signing-cert' | 'verifier-info', string | undefined>

function parseIdentity(given: IdentityOptions): Omit<SetIdentity, 'tenant_id'> {
  const { 'signing-key': key, 'signing-cert': cert, 'verifier-info': info } = given
  if ((key === undefined) !== (cert === undefined || cert === 'none')) {
    throw new UsageError('--signing-key and --signing-cert must be given together')
  }
  return {
    ...(cert === 'none' && { certificate: null }),
    ...(key !== undefined &&
      cert !== undefined && { certificate: { chain: readFileOption(cert), key: readFileOption(key) } }),
    ...(info !== undefined && { verifier_info: info === 'none' ? null : readFileOption(info) }),
  }
}
