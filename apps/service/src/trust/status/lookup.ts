import type { Environment } from '@vidimus/contract'
import type { StatusListToken } from '@vidimus/protocol'
import type { Db } from '../../platform/db/open.ts'
import type { Egress } from '../../platform/egress/open.ts'
import { Refusal } from '../../platform/refusal.ts'
import { openSlots } from '../../platform/slots.ts'
import type { Sandbox } from '../sandbox/open.ts'
import { isSandboxUri } from '../sandbox/is-sandbox.ts'
import { fetchStatusList } from './fetch.ts'
import { openCopyCache, type StatusListCopy } from './copy-cache.ts'
import { saveStatusList } from './save-list.ts'
import { readUsableCopy, type CopyRow, type StatusListKey } from './store.ts'

/**
 * `now` in seconds since 1970, by the clock that the credential is verified with. `tenant_id` is whose verification needs the
 * list: what a look-up costs counts against that tenant.
 */
type StatusLookup = { tenant_id: string; environment: Environment; uri: string; now: number }

/** `good_until` in seconds since 1970: until then nobody needs to be asked again. */
type UsableList = { token: StatusListToken; good_until: number }

/**
 * Undefined when the list cannot be had; rejects with a Refusal only, when the tenant has too many look-ups under way. The
 * token is the same object for as long as it is the same copy.
 */
export type LookUpStatus = (question: StatusLookup) => Promise<UsableList | undefined>

/** Where a list was found, for the metrics. */
export type LookupSource = 'memory' | 'database' | 'issuer' | 'nowhere'

export type OpenStatusLookup = {
  db: Db
  egress: Record<Environment, Egress>
  sandbox: Sandbox
  onLookUp?: (found: LookupSource) => void
}

/** How long a process goes without asking the database for a newer copy, and without asking an issuer who failed. */
const cache_seconds = { copy: 60, failure: 5 }
const limits = { uri_characters: 2048 }
/**
 * Lists that are sought in the database and at their issuers at the same time. A tenant may trust an issuer of its own whose
 * hosts never answer. One answer of a wallet needs at most as many lists as it may have presentations.
 */
export const lookUpBounds = { maxLookUpsOfTenant: 20, maxLookUps: 200 }

/** Looks status lists up: in memory, in the database, which all processes share, and at the issuer, in this order. */
export function openStatusLookup({
  db,
  egress,
  sandbox,
  onLookUp = () => {},
}: OpenStatusLookup): LookUpStatus {
  const copies = openCopyCache()
  const inFlight = new Map<string, Promise<UsableList | undefined>>()
  const slots = openSlots({ each: lookUpBounds.maxLookUpsOfTenant, all: lookUpBounds.maxLookUps })

  return async ({ tenant_id, environment, uri, now }) => {
    const address = canonicalUri(uri)
    if (address === undefined) return undefined
    const name = `${environment} ${address}`
    const copy = copies.get(name)
    if (copy !== undefined && now < copy.good_until) {
      onLookUp(copy.token === undefined ? 'nowhere' : 'memory')
      return toUsableList(copy)
    }
    const lookup =
      inFlight.get(name) ?? startLookup(name, { tenant_id, environment, uri: address, now }, copy)
    return lookup
  }

  function startLookup(name: string, query: StatusLookup, cached: StatusListCopy | undefined) {
    const releaseSlot = slots.take(query.tenant_id)
    if (typeof releaseSlot === 'string')
      throw new Refusal('overloaded', 'Too many status lists are being fetched. Try again in a moment.', 1)
    const lookup = lookUpUncached(query, cached)
      .then(({ copy, found }) => {
        copies.set(name, copy)
        onLookUp(found)
        return toUsableList(copy)
      })
      // The database is away, and with it the transaction that would need the answer.
      .catch(() => undefined)
      .finally(() => {
        inFlight.delete(name)
        releaseSlot()
      })
    inFlight.set(name, lookup)
    return lookup
  }

  async function lookUpUncached(
    query: StatusLookup,
    cached: StatusListCopy | undefined,
  ): Promise<{ copy: StatusListCopy; found: LookupSource }> {
    const { uri, environment, now } = query
    if (isSandboxUri(uri)) {
      const token = environment === 'test' ? await sandbox.statusList(uri, now) : undefined
      return {
        copy: temporaryCopy(token, now + cache_seconds.copy),
        found: token === undefined ? 'nowhere' : 'memory',
      }
    }
    const shared = await readShared(query, cached)
    if (shared !== undefined) return { copy: shared, found: 'database' }

    const token = await fetchStatusList(egress[environment], uri)
    if (token === undefined)
      return { copy: temporaryCopy(undefined, now + cache_seconds.failure), found: 'nowhere' }
    return saveFetched(query, token)
  }

  async function saveFetched(
    query: StatusLookup,
    token: StatusListToken,
  ): Promise<{ copy: StatusListCopy; found: LookupSource }> {
    const { now } = query
    const { kept } = await saveStatusList(db, toKey(query), token)
    switch (kept) {
      case 'not':
        return { copy: temporaryCopy(token, now + cache_seconds.failure), found: 'issuer' }
      case 'outdated': {
        const later = await readShared(query, undefined)
        if (later !== undefined) return { copy: later, found: 'database' }
        return { copy: temporaryCopy(undefined, now + cache_seconds.failure), found: 'nowhere' }
      }
      default:
        return { copy: toCopy(token, kept, now), found: 'issuer' }
    }
  }

  async function readShared(
    query: StatusLookup,
    held: StatusListCopy | undefined,
  ): Promise<StatusListCopy | undefined> {
    const row = await readUsableCopy(db, { ...toKey(query), held: held?.fetched_at ?? null })
    if (row === undefined) return undefined
    const token = row.token === null ? held?.token : { token: row.token, media: row.media }
    return token && toCopy(token, row, query.now)
  }
}

/** https only, in the one spelling that the URL standard gives it, which has no character beyond ASCII. */
function canonicalUri(uri: string): string | undefined {
  const url = URL.parse(uri)
  if (url?.protocol !== 'https:' || url.href.length > limits.uri_characters) return undefined
  return url.href
}

function toKey({ environment, uri }: StatusLookup): StatusListKey {
  return { environment, uri }
}

function toCopy(token: StatusListToken, { fetched_at, lapses_at }: CopyRow, now: number): StatusListCopy {
  return { token, fetched_at, good_until: Math.min(lapses_at, now + cache_seconds.copy) }
}

function toUsableList({ token, good_until }: StatusListCopy): UsableList | undefined {
  return token && { token, good_until }
}

/** What this process alone remembers, and not for long. */
function temporaryCopy(token: StatusListToken | undefined, until: number): StatusListCopy {
  return { token, fetched_at: null, good_until: until }
}
