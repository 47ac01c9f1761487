import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Config } from '../../engine/config/index.ts'
import type { Database } from '../../engine/db/index.ts'
import type { Keyring } from '../../engine/keyring/index.ts'
import type { TrustService } from '../../trust/index.ts'
import { loadQuery } from './load-query.ts'
import { packAnchors } from './pack-anchors.ts'
import { type ThreadPool, type ThreadPoolLimits, openThreadPool } from '../../engine/threads/index.ts'
import type {
  VerifyLookupResult,
  FoundStatusList,
  VerifyLookup,
  VerifiedResponse,
  VerifyTask,
  VerifyThreadData,
} from './verify-thread.ts'

export type Verifier = ThreadPool<VerifyTask, VerifiedResponse>

export const verifierBounds: ThreadPoolLimits = {
  maxTasksPerOwner: 250,
  maxTasks: 1000,
  maxBytesPerOwner: 16 * 1024 * 1024,
  maxBytes: 64 * 1024 * 1024,
  cpu_ms: 2000,
  deadline_ms: 12_000,
  maxHeap_mb: 192,
}

export type VerifierDependencies = {
  trust: TrustService
  db: Database
  keyring: Pick<Keyring, 'derivationKey'>
  config: Pick<Config, 'BASE_URL'>
}

const tokenVersions = new WeakMap<object, string>()

/**
 * The threads that verify wallet responses: one more than there are processors. Tenants take turns. A response that needs a
 * status list or the description of a type leaves its thread, and is verified again once that has been fetched or turned out to be
 * unavailable.
 */
export function openVerifier(
  { trust, db, keyring, config }: VerifierDependencies,
  bounds = verifierBounds,
): Verifier {
  const processors = availableParallelism()
  const data: VerifyThreadData = { base_url: config.BASE_URL, derivation_key: keyring.derivationKey() }
  return openThreadPool({
    file: new URL('./verify-thread.ts', import.meta.url),
    // One tenant may occupy every processor; the additional thread lets another tenant start at once.
    size: processors + 1,
    maxThreadsPerOwner: processors,
    bounds,
    resolveLookup: (lookup, tenant_id) => resolveLookup({ trust, db }, tenant_id, lookup as VerifyLookup), // only our own thread sends lookups
    data,
  })
}

async function resolveLookup(
  { trust, db }: Pick<VerifierDependencies, 'trust' | 'db'>,
  tenant_id: string,
  lookup: VerifyLookup,
): Promise<VerifyLookupResult> {
  if (lookup.about === 'template') {
    const template_version = Buffer.from(lookup.template_version, 'base64')
    return { about: 'template', template: await loadQuery({ db }, { query: null, template_version }) }
  }
  if (lookup.about === 'anchors')
    return { about: 'anchors', anchors: packAnchors(await trust.scopes.anchors(lookup.trust)) }

  if (lookup.about === 'types') {
    const { references, environment, now } = lookup
    const types = await Promise.all(
      references.map(async (reference) => ({
        reference,
        found: await trust.lookUpType({ tenant_id, environment, reference, now }),
      })),
    )
    return { about: 'types', types }
  }

  const { environment, now } = lookup
  const lists = await Promise.all(
    lookup.lists.map(async (list): Promise<FoundStatusList> => {
      const found = await trust.lookUpStatus({ tenant_id, environment, ...list, now })
      return { ...list, found: found && { ...found, version: tokenVersion(found.token) } }
    }),
  )
  return { about: 'status', lists }
}

function tokenVersion(token: { token: string | Uint8Array }): string {
  let version = tokenVersions.get(token)
  if (version === undefined) {
    version = createHash('sha256').update(token.token).digest('base64')
    tokenVersions.set(token, version)
  }
  return version
}
