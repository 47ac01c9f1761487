import type { Environment } from '@vidimus/contract'
import { Counter } from 'prom-client'
import type { Config } from '../engine/config/index.ts'
import type { Database } from '../engine/db/index.ts'
import { type Egress, openEgress } from '../engine/egress/index.ts'
import type { Keyring } from '../engine/keyring/index.ts'
import { type Metrics, startAtZero } from '../engine/observability/index.ts'
import { watchAnchors, type TrustSnapshot } from './anchors/watch.ts'
import { openFetchAllowance } from './fetch-allowance.ts'
import { openListMetrics } from './lists/list-metrics.ts'
import { readListSettings } from './lists/read-settings.ts'
import { openScopes, type TrustScopes } from './tenant/scope.ts'
import { openSandbox, type Sandbox } from './sandbox/open-sandbox.ts'
import { openStatusLookup, type LookUpStatus } from './status/lookup.ts'
import { openTypeLookup, type LookUpTypeFor } from './types/lookup-type.ts'

/** Everything that decides whether a credential is trusted: anchors, scopes and status lists. */
export type TrustService = {
  snapshot(environment: Environment): Promise<TrustSnapshot>
  scopes: TrustScopes
  lookUpStatus: LookUpStatus
  lookUpType: LookUpTypeFor
  sandbox: Sandbox
  /** The egress that fetches what credentials refer to, per environment. */
  statusEgress: Record<Environment, Egress>
  /** Updates the metrics of the trust lists. */
  updateListMetrics(): Promise<void>
  close(): void
}

export type OpenTrust = {
  config: Config
  db: Database
  keyring: Keyring
  egress: Egress
  metrics: Pick<Metrics, 'registry'>
}

/** Opens the trust anchors and status lists for a process. Throws a ConfigError if TRUST_LISTS_FILE is invalid. */
export function openTrust({ config, db, keyring, egress, metrics: { registry } }: OpenTrust): TrustService {
  if (config.TRUST_LISTS_FILE !== undefined) readListSettings(config.TRUST_LISTS_FILE)
  // A credential chooses the URL of its list, so in live the addresses that an operator allowed for webhooks are not allowed
  // for lists.
  const publicOnly = openEgress({ allow: [], dns_servers: config.DNS_SERVERS })
  const statusEgress = { test: egress, live: publicOnly }
  const sandbox = openSandbox({ db, keyring })
  const lookups = startAtZero(
    new Counter({
      name: 'vidimus_status_list_lookups_total',
      help: 'Lookups of status lists, certificate revocation lists and OCSP responses, by where they were found.',
      labelNames: ['found'] as const,
      registers: [registry],
    }),
    'found',
    ['memory', 'database', 'issuer', 'nowhere'],
  )
  const snapshot = watchAnchors({ db, sandbox })
  const allowance = openFetchAllowance()
  return {
    snapshot,
    scopes: openScopes({ db, sandbox, snapshot }),
    lookUpStatus: openStatusLookup({
      db,
      sandbox,
      egress: statusEgress,
      allowance,
      onLookup: (found) => lookups.inc({ found }),
    }),
    lookUpType: openTypeLookup({ db, sandbox, egress: statusEgress, allowance }),
    sandbox,
    statusEgress,
    updateListMetrics: openListMetrics({ db, registry }),
    close: () => publicOnly.close(),
  }
}
