import type { Environment } from '@vidimus/contract'
import type { StatusListToken } from '@vidimus/protocol'
import type { Db } from '../../engine/db/index.ts'
import type { Egress } from '../../engine/egress/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { openSlots } from '../../engine/scheduling/index.ts'
import { type Sandbox, isSandboxUri } from '../sandbox/open-sandbox.ts'
import { openFetchAllowance, type FetchAllowance } from '../fetch-allowance.ts'
import { fetchList, saveList } from './save-list.ts'
import { openCopyCache, type StatusListCopy } from './copy-cache.ts'
import { hashIssuer, readUsableCopy, type CopyRow, type ListKey } from './store.ts'

/**
 * `now` is in seconds since 1970, by the clock that the credential is verified with. The lookup counts against the limits of
 * `tenant_id`, whose verification needs the list.
 */
type StatusLookup = ListKey & { tenant_id: string; now: number }

/** `good_until` is in seconds since 1970: until then the list need not be looked up again. */
type UsableList = { token: StatusListToken; good_until: number }

/**
 * Undefined if the list is unavailable, or the tenant has used up its allowance. Rejects only with a Refusal, if the tenant has too many lookups in flight. The token
 * is the same object for as long as it is the same copy.
 */
export type LookUpStatus = (question: StatusLookup) => Promise<UsableList | undefined>

/** Where a list was found, for the metrics. */
export type LookupSource = 'memory' | 'database' | 'issuer' | 'nowhere'

export type OpenStatusLookup = {
  db: Db
  egress: Record<Environment, Egress>
  sandbox: Sandbox
  allowance?: FetchAllowance
  onLookup?: (found: LookupSource) => void
}

/** How long a process uses a copy before it checks the database again, and how long it remembers a failure. */
const cache_seconds = { copy: 60, failure: 5 }
const maxUri_characters = 2048
/**
 * Lookups in the database and at issuers at the same time. A tenant may trust its own issuer, whose hosts may never reply.
 * A wallet response needs a list for each presentation and some for the certificates of its issuer, but few are new to a process.
 */
export const lookupLimits = { maxLookupsPerTenant: 20, maxLookups: 200 }

/** Looks up status lists, certificate revocation lists and OCSP responses: in memory, then in the database, which all processes share, then at the issuer. */
export function openStatusLookup({
  db,
  egress,
  sandbox,
  allowance = openFetchAllowance(),
  onLookup = () => {},
}: OpenStatusLookup): LookUpStatus {
  const copies = openCopyCache()
  const inFlight = new Map<string, Promise<UsableList | undefined>>()
  const slots = openSlots({ each: lookupLimits.maxLookupsPerTenant, all: lookupLimits.maxLookups })

  return async ({ uri, ...query }) => {
    const { environment, crl_issuer, now } = query
    const address = canonicalUri(uri, crl_issuer)
    if (address === undefined) return undefined
    const name = `${environment} ${hashIssuer(crl_issuer).toString('base64')} ${address}`
    const copy = copies.get(name)
    if (copy !== undefined && now < copy.good_until) {
      onLookup(copy.token === undefined ? 'nowhere' : 'memory')
      return toUsableList(copy)
    }
    const lookup = { ...query, uri: address }
    return inFlight.get(name) ?? startLookup({ name, lookup, cached: copy })
  }

  type NamedLookup = { name: string; lookup: StatusLookup; cached: StatusListCopy | undefined }

  function startLookup({ name, lookup: query, cached }: NamedLookup) {
    const mayFetch = !allowance.isUsedUp(query.tenant_id, query.now)
    const releaseSlot = slots.take(query.tenant_id)
    if (typeof releaseSlot === 'string')
      throw new Refusal('overloaded', 'Too many status lists are being fetched. Try again in a moment.', 1)
    const lookup = lookUpUncached(query, { cached, mayFetch })
      .then(({ copy, found }) => {
        onLookup(found)
        if (copy === undefined) return undefined
        copies.set(name, { ...copy, crl_issuer: query.crl_issuer })
        return toUsableList(copy)
      })
      // The database is unavailable, and so is the transaction that would need the result.
      .catch(() => undefined)
      .finally(() => {
        if (mayFetch) inFlight.delete(name)
        releaseSlot()
      })
    // Other tenants may fetch what this one may not, so they must not join its lookup.
    if (mayFetch) inFlight.set(name, lookup)
    return lookup
  }

  /** Without a copy if the list is stored nowhere and may not be fetched. */
  async function lookUpUncached(
    query: StatusLookup,
    { cached, mayFetch }: { cached: StatusListCopy | undefined; mayFetch: boolean },
  ): Promise<{ copy?: StatusListCopy; found: LookupSource }> {
    const { tenant_id, uri, environment, now } = query
    if (isSandboxUri(uri)) {
      const token = environment === 'test' ? await sandbox.statusList(uri, now) : undefined
      return {
        copy: temporaryCopy(token, now + cache_seconds.copy),
        found: token === undefined ? 'nowhere' : 'memory',
      }
    }
    const shared = await readShared(query, cached)
    if (shared !== undefined) return { copy: shared, found: 'database' }

    if (!mayFetch) return { found: 'nowhere' }

    const token = await fetchList(egress[environment], query, allowance.begin(tenant_id, now))
    if (token === undefined)
      return { copy: temporaryCopy(undefined, now + cache_seconds.failure), found: 'nowhere' }
    return saveFetched(query, token)
  }

  async function saveFetched(
    query: StatusLookup,
    token: StatusListToken,
  ): Promise<{ copy: StatusListCopy; found: LookupSource }> {
    const { now } = query
    const { saved } = await saveList(db, toKey(query), token)
    switch (saved) {
      case 'rejected':
        return { copy: temporaryCopy(token, now + cache_seconds.failure), found: 'issuer' }
      case 'outdated': {
        const later = await readShared(query, undefined)
        if (later !== undefined) return { copy: later, found: 'database' }
        return { copy: temporaryCopy(undefined, now + cache_seconds.failure), found: 'nowhere' }
      }
      default:
        return { copy: toCopy(token, saved, now), found: 'issuer' }
    }
  }

  async function readShared(
    query: StatusLookup,
    cached: StatusListCopy | undefined,
  ): Promise<StatusListCopy | undefined> {
    const row = await readUsableCopy(db, { ...toKey(query), cached_at: cached?.fetched_at ?? null })
    if (row === undefined) return undefined
    const token = row.token === null ? cached?.token : { token: row.token, media: row.media }
    return token && toCopy(token, row, query.now)
  }
}

/**
 * Returns the canonical form of the URL standard, which is pure ASCII. Accepts https only, and http for certificate revocation lists and
 * OCSP: the authority that signs is known beforehand, and https could need one of them to check its own certificate (RFC 5280 §8).
 */
function canonicalUri(uri: string, crlIssuer: Uint8Array | undefined): string | undefined {
  const url = URL.parse(uri)
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && crlIssuer !== undefined)
  return url !== null && isAllowed && url.href.length <= maxUri_characters ? url.href : undefined
}

function toKey({ environment, uri, crl_issuer }: StatusLookup): ListKey {
  return { environment, uri, ...(crl_issuer && { crl_issuer }) }
}

function toCopy(token: StatusListToken, { fetched_at, lapses_at }: CopyRow, now: number): StatusListCopy {
  return { token, fetched_at, good_until: Math.min(lapses_at, now + cache_seconds.copy) }
}

function toUsableList({ token, good_until }: StatusListCopy): UsableList | undefined {
  return token && { token, good_until }
}

/** A copy that only this process keeps, for a short time. */
function temporaryCopy(token: StatusListToken | undefined, until: number): StatusListCopy {
  return { token, fetched_at: null, good_until: until }
}
