import { PageOrigins, TimeZone, WalletLinks } from '@vidimus/contract'
import {
  type SetHolderPage,
  type SetPolicies,
  getHolderPage,
  getPolicies,
  setHolderPage,
  setPolicies,
} from '../../accounts/index.ts'
import {
  type SetIdentity,
  type SetTrustPolicy,
  getTenantTrust,
  recheckSoon,
  setIdentity,
  setTrustPolicy,
} from '../../trust/index.ts'
import { command, printResult, UsageError } from './command.ts'
import { jsonOption, tenantOption, readFileOption, parseChoice, parseUuid } from './options.ts'
import { withContext } from './with-context.ts'

export const tenantSetCommand = command({
  options: {
    tenant: tenantOption,
    retention: { type: 'string', description: 'days to keep results (1-365), or on_delivery' },
    'hold-back': {
      type: 'string',
      description: 'on: a result with a redirect is hidden until its code is redeemed; off',
    },
    'status-unavailable': { type: 'string', description: 'fail or warn if a revocation list is unavailable' },
    'time-zone': {
      type: 'string',
      description: 'where days begin when an age is counted from a birth date, such as Europe/Berlin',
    },
    'max-attempts': {
      type: 'string',
      description: 'how many responses a verification takes before one that fails is final (1-5)',
    },
    'strict-queries': {
      type: 'string',
      description: 'on: a query that violates DCQL is refused; off: it gets a warning',
    },
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
    'page-origins': {
      type: 'string',
      description:
        'pages and Android apps that may use the Digital Credentials API, separated by commas (https://shop.example, android:apk-key-hash:…); or none',
    },
    'wallet-links': {
      type: 'string',
      description:
        "what opens a wallet on the holder's device, the first first, separated by commas: eu-eaap,openid4vp,haip-vp (default), or https links",
    },
    'age-app': {
      type: 'string',
      description: 'on: the EU age-verification app may respond, without encryption; off',
    },
    'moving-code': {
      type: 'string',
      description: "on: the page's QR code changes every 20 seconds, against pictures of it; off",
    },
    'edited-languages-only': {
      type: 'string',
      description: 'on: page, component and till offer no machine translations; off',
    },
    json: jsonOption,
  },
  async run({ values }) {
    const tenant_id = parseUuid('tenant', values.tenant)
    const policies = parsePolicies(values)
    const holderPage = parseHolderPage(values)
    const identity = parseIdentity(values)
    const trust = values.trust === undefined ? undefined : parseTrustPolicy(values.trust)
    if (trust === undefined && Object.keys({ ...policies, ...holderPage, ...identity }).length === 0)
      throw new UsageError('Give at least one option to set')

    const current = await withContext(async (ctx) => {
      if (identity !== undefined) {
        await setIdentity(ctx, { tenant_id, ...identity })
        await recheckSoon(ctx, tenant_id)
      }
      if (trust !== undefined)
        await setTrustPolicy(ctx, { by: { kind: 'operator', tenant_id }, policy: trust })
      const resulting =
        Object.keys(policies).length > 0
          ? await setPolicies(ctx, { tenant_id, ...policies })
          : await getPolicies(ctx, tenant_id)
      const page =
        Object.keys(holderPage).length > 0
          ? await setHolderPage(ctx, { by: { kind: 'operator', tenant_id }, ...holderPage })
          : await getHolderPage(ctx, tenant_id)
      return { ...resulting, ...page, trust: (await getTenantTrust(ctx, tenant_id)).policy }
    })
    printResult(values, { tenant_id, ...current }, [
      `retention           ${current.retention_days} days${current.forget_on_delivery ? ', or until delivery' : ''}`,
      `hold back           ${current.hold_back ? 'on' : 'off'}`,
      `status unavailable  ${current.status_unavailable}`,
      `time zone           ${current.time_zone}`,
      `max attempts        ${current.max_attempts}`,
      `trust               ${current.trust}`,
      `page origins        ${current.page_origins.join(', ') || 'none'}`,
      `wallet links        ${current.wallet_links.join(', ')}`,
      `age app             ${current.age_app ? 'on' : 'off'}`,
      `moving code         ${current.moving_code ? 'on' : 'off'}`,
      `edited languages    ${current.edited_languages_only ? 'only' : 'and others'}`,
    ])
  },
})

type PolicyOptions = Record<
  'retention' | 'hold-back' | 'status-unavailable' | 'time-zone' | 'max-attempts' | 'strict-queries',
  string | undefined
>

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
    ...(given['time-zone'] !== undefined && { time_zone: parseTimeZone(given['time-zone']) }),
    ...(given['strict-queries'] !== undefined && {
      strict_queries: parseChoice('--strict-queries', given['strict-queries'], { on: true, off: false }),
    }),
    ...(given['max-attempts'] !== undefined && { max_attempts: parseAttempts(given['max-attempts']) }),
  }
}

function parseTimeZone(given: string): string {
  const zone = TimeZone.safeParse(given)
  if (!zone.success) throw new UsageError(`--time-zone ${zone.error.issues[0]?.message}`)
  return zone.data
}

function parseAttempts(given: string): number {
  if (!/^[1-5]$/.test(given)) throw new UsageError('--max-attempts must be 1-5')
  return Number(given)
}

type HolderPageOptions = Record<
  'page-origins' | 'wallet-links' | 'age-app' | 'moving-code' | 'edited-languages-only',
  string | undefined
>

function parseHolderPage(given: HolderPageOptions): Omit<SetHolderPage, 'by'> {
  const {
    'page-origins': origins,
    'wallet-links': links,
    'age-app': ageApp,
    'moving-code': movingCode,
    'edited-languages-only': editedOnly,
  } = given
  return {
    ...(origins !== undefined && {
      page_origins: origins === 'none' ? [] : parseList('--page-origins', origins, PageOrigins),
    }),
    ...(links !== undefined && { wallet_links: parseList('--wallet-links', links, WalletLinks) }),
    ...(ageApp !== undefined && { age_app: parseChoice('--age-app', ageApp, { on: true, off: false }) }),
    ...(movingCode !== undefined && {
      moving_code: parseChoice('--moving-code', movingCode, { on: true, off: false }),
    }),
    ...(editedOnly !== undefined && {
      edited_languages_only: parseChoice('--edited-languages-only', editedOnly, { on: true, off: false }),
    }),
  }
}

function parseList(option: string, given: string, schema: typeof PageOrigins): string[] {
  const parsed = schema.safeParse(given.split(',').map((each) => each.trim()))
  if (!parsed.success) throw new UsageError(`${option} ${parsed.error.issues[0]?.message}`)
  return parsed.data
}

/** `on_delivery` keeps the number of days: results that are never delivered are deleted then. */
function parseRetention(given: string): Omit<SetPolicies, 'tenant_id'> {
  if (given === 'on_delivery') return { forget_on_delivery: true }
  const days = /^\d{1,3}$/.test(given) ? Number(given) : 0
  if (days < 1 || days > 365) throw new UsageError('--retention must be 1-365 days, or on_delivery')
  return { retention_days: days, forget_on_delivery: false }
}

function parseTrustPolicy(given: string): SetTrustPolicy['policy'] {
  return parseChoice('--trust', given, { all: 'all' as const, own: 'own' as const })
}

type IdentityOptions = Record<'signing-key' | 'signing-cert', string | undefined>

function parseIdentity(given: IdentityOptions): Pick<SetIdentity, 'certificate'> | undefined {
  const { 'signing-key': key, 'signing-cert': cert } = given
  if ((key === undefined) !== (cert === undefined || cert === 'none')) {
    throw new UsageError('--signing-key and --signing-cert must be given together')
  }
  if (cert === undefined) return undefined
  if (cert === 'none' || key === undefined) return { certificate: null }
  return { certificate: { chain: readFileOption(cert), key: readFileOption(key) } }
}
