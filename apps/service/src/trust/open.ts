import type { Environment } from '@vidimus/contract'
import { Counter } from 'prom-client'
import type { Config } from '../config.ts'
import type { Database } from '../platform/db/open.ts'
import { openEgress, type Egress } from '../platform/egress/open.ts'
import type { Keyring } from '../platform/keyring/open.ts'
import type { Metrics } from '../platform/metrics.ts'
import { watchAnchors, type TrustSnapshot } from './anchors/watch.ts'
import { openListMetrics } from './lists/metrics.ts'
import { readListSettings } from './lists/read-settings.ts'
import { openScopes, type TrustScopes } from './tenant/scope.ts'
import { openSandbox, type Sandbox } from './sandbox/open.ts'
import { openStatusLookup, type LookUpStatus } from './status/lookup.ts'

/** Who is believed, and whether they still stand by what they issued. */
export type TrustService = {
  snapshot(environment: Environment): Promise<TrustSnapshot>
  scopes: TrustScopes
  lookUpStatus: LookUpStatus
  sandbox: Sandbox
  /** The doors that status lists are fetched through. */
  statusEgress: Record<Environment, Egress>
  /** Brings the metrics of the trust lists up to date. */
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

/** Opens what a process judges credentials by. Throws a ConfigError when TRUST_LISTS_FILE has a mistake. */
export function openTrust({ config, db, keyring, egress, metrics: { registry } }: OpenTrust): TrustService {
  if (config.TRUST_LISTS_FILE !== undefined) readListSettings(config.TRUST_LISTS_FILE)
  // A credential names its list itself: what an operator has allowed for webhooks is not allowed for it in live.
  const publicOnly = openEgress({ allow: [], dns_servers: config.DNS_SERVERS })
  const statusEgress = { test: egress, live: publicOnly }
  const sandbox = openSandbox({ db, keyring })
  const lookups = new Counter({
    name: 'vidimus_status_list_lookups_total',
    help: 'Look-ups of status lists, by where they were found.',
    labelNames: ['found'] as const,
    registers: [registry],
  })
  const snapshot = watchAnchors({ db, sandbox })
  return {
    snapshot,
    scopes: openScopes({ db, sandbox, snapshot }),
    lookUpStatus: openStatusLookup({
      db,
      sandbox,
      egress: statusEgress,
      onLookUp: (found) => lookups.inc({ found }),
    }),
    sandbox,
    statusEgress,
    updateListMetrics: openListMetrics({ db, registry }),
    close: () => publicOnly.close(),
  }
}
