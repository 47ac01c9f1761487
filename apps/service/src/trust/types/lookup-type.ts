import { createHash } from 'node:crypto'
import type { Environment } from '@vidimus/contract'
import {
  type LookUpType,
  type TypeReference,
  boundedMap,
  maxTypeMetadata_bytes,
  readTypeMetadata,
} from '@vidimus/protocol'
import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import type { Egress } from '../../engine/egress/index.ts'
import { openSlots } from '../../engine/scheduling/index.ts'
import { type FetchAllowance, openFetchAllowance } from '../fetch-allowance.ts'
import { type Sandbox, isSandboxUri } from '../sandbox/open-sandbox.ts'
import { deleteUnusedTypes, readStoredType, storeType } from './store.ts'

/** The lookup counts against the limits of `tenant_id`. `now` is in seconds since 1970. */
type TypeLookup = {
  tenant_id: string
  environment: Environment
  reference: TypeReference
  now: number
}

/** Undefined if the metadata is unavailable or the tenant has used up its allowance, an error if it does not match its integrity. */
export type TypeResult = Awaited<ReturnType<LookUpType>>

/** Rejects only with a Refusal, if the tenant has too many lookups in flight. */
export type LookUpTypeFor = (lookup: TypeLookup) => Promise<TypeResult>

type OpenTypeLookup = {
  db: Db
  egress: Record<Environment, Egress>
  sandbox: Sandbox
  allowance?: FetchAllowance
}

/** How many types a process keeps in memory, and how long it remembers a failure. */
export const typeCache = { maxTypes: 1000, failure_seconds: 5 }
/** Lookups at the same time. A tenant may trust its own issuer, whose hosts may never reply. */
export const typeLookupLimits = { maxLookupsPerTenant: 20, maxLookups: 200 }

/**
 * Looks up what a type extends: in memory, then in the database, which all processes share, then at its URL. What was verified by
 * its hash never changes, so it is kept for as long as it is used.
 */
export function openTypeLookup({
  db,
  egress,
  sandbox,
  allowance = openFetchAllowance(),
}: OpenTypeLookup): LookUpTypeFor {
  const known = boundedMap<string, TypeResult & {}>(typeCache.maxTypes)
  const failures = boundedMap<string, { found: TypeResult; until: number }>(typeCache.maxTypes)
  const inFlight = new Map<string, Promise<TypeResult>>()
  const slots = openSlots({ each: typeLookupLimits.maxLookupsPerTenant, all: typeLookupLimits.maxLookups })

  return async (lookup) => {
    const name = `${lookup.reference.uri} ${lookup.reference.integrity}`
    const copy = known.get(name)
    if (copy !== undefined) return copy
    // An environment may reach hosts that another may not.
    const place = `${lookup.environment} ${name}`
    const failed = failures.get(place)
    if (failed !== undefined && lookup.now < failed.until) return failed.found
    return inFlight.get(place) ?? startLookup({ name, place }, lookup)
  }

  function startLookup({ name, place }: { name: string; place: string }, lookup: TypeLookup) {
    const releaseSlot = slots.take(lookup.tenant_id)
    if (typeof releaseSlot === 'string')
      throw new Refusal(
        'overloaded',
        'Too many descriptions of types are being fetched. Try again in a moment.',
        1,
      )
    const mayFetch = !allowance.isUsedUp(lookup.tenant_id, lookup.now)
    const running = lookUpUncached(name, lookup, mayFetch)
      // The database is unavailable, and so is the transaction that would need the result.
      .catch(() => undefined)
      .then((found) => {
        if (found !== undefined && 'value' in found) known.set(name, found)
        else if (mayFetch) failures.set(place, { found, until: lookup.now + typeCache.failure_seconds })
        return found
      })
      .finally(() => {
        if (mayFetch) inFlight.delete(place)
        releaseSlot()
      })
    // Other tenants may fetch what this one may not, so they must not join its lookup.
    if (mayFetch) inFlight.set(place, running)
    return running
  }

  async function lookUpUncached(
    name: string,
    { tenant_id, environment, reference, now }: TypeLookup,
    mayFetch: boolean,
  ): Promise<TypeResult> {
    const { uri } = reference
    if (isSandboxUri(uri)) {
      const document = environment === 'test' ? await sandbox.typeMetadata(uri) : undefined
      return document && readTypeMetadata(document, reference)
    }
    const key = createHash('sha256').update(name).digest()
    const stored = await readStoredType(db, key)
    if (stored !== undefined) return { value: stored }
    if (!mayFetch) return undefined
    const document = await fetchTypeMetadata(egress[environment], uri, allowance.begin(tenant_id, now))
    if (document === undefined) return undefined
    const read = readTypeMetadata(document, reference)
    if ('value' in read) await storeType(db, { key, ...read.value })
    return read
  }
}

/** A holder waits for all steps of a chain, one after the other. */
export const limits = { timeout_ms: 2000, max_response_bytes: maxTypeMetadata_bytes }

/** Fetches a Type Metadata document (SD-JWT VC, "Retrieving Type Metadata"). Follows no redirect. Undefined unless it is complete. */
async function fetchTypeMetadata(
  egress: Egress,
  uri: string,
  onReceived: (received_bytes: number) => void,
): Promise<Buffer | undefined> {
  const response = await egress.request({
    method: 'GET',
    url: uri,
    ...limits,
    onReceived,
    compose: (write) => write({ headers: { accept: 'application/json' } }),
  })
  return response.outcome === 'responded' && response.status === 200 && response.complete
    ? response.body
    : undefined
}

/** Deletes descriptions of types that nobody has used for a month. */
export async function sweepTypes({ db }: Pick<Context, 'db'>): Promise<void> {
  await deleteUnusedTypes(db)
}
