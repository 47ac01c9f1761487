import {
  boundedMap,
  makeEncryptionKey,
  openResponse,
  openStatusList,
  verifyPresentation,
  type Anchor,
  type Outcome,
  type StatusListToken,
  type VerifierRequest,
  type WalletError,
} from '@vidimus/protocol'
import type { Environment } from '@vidimus/contract'
import type { TrustScope } from '../../trust/tenant/scope.ts'
import { serveTasks, type TaskOutcome } from '../../platform/serve-tasks.ts'
import { threadCaches } from './thread-caches.ts'

/** A wallet response and everything it is verified against. The thread has no clock, so the task carries `now`. */
export type VerifyTask = {
  body: string
  encryption_material: Uint8Array
  request: Omit<VerifierRequest, 'encryption_key_thumbprint'>
  trust: TrustScope
  trust_version: string
  status_unavailable: 'fail' | 'warning'
  now: number
}

/** `malformed` is not a response to this session. `refused` is final unless another wallet may respond. */
export type VerifiedResponse =
  | { kind: 'malformed'; reason: string }
  | { kind: 'final'; outcome: Outcome }
  | { kind: 'refused'; outcome: Outcome; may_have_other_wallet: boolean }

/** What a thread needs but does not have, or has in a copy that may have been replaced. */
export type TrustLookup =
  | { about: 'anchors'; trust: TrustScope }
  | { about: 'status'; environment: Environment; uris: string[]; now: number }
export type TrustLookupResult =
  | { about: 'anchors'; anchors: readonly Anchor[] }
  | { about: 'status'; lists: FoundStatusList[] }

/** `found` is undefined if the list is unavailable. */
export type FoundStatusList = { uri: string; found: KnownStatusList | undefined }
type KnownStatusList = { version: string; good_until: number; token: StatusListToken }

const anchorCache = boundedMap<string, { version: string; anchors: readonly Anchor[] }>(
  threadCaches.maxScopes,
)
const statusListCache = new Map<string, KnownStatusList>()

serveTasks<VerifyTask, VerifiedResponse>(async (task, given) => {
  const results = given as TrustLookupResult[] // made by `resolveLookup`
  // Before the verification, so that no work is repeated.
  const anchors = findAnchors(task, results)
  if (anchors === undefined) return requestLookup({ about: 'anchors', trust: task.trust })

  const encryption_key = makeEncryptionKey(task.encryption_material)
  const opened = openResponse(task.body, { state: task.request.state, encryption_key })
  switch (opened.kind) {
    case 'malformed':
      return { result: opened }
    case 'error':
      return { result: toRefusedResult(opened.error) }
    case 'presentation': {
      const request = { ...task.request, encryption_key_thumbprint: encryption_key.thumbprint }
      const missing = new Set<string>()
      const lookUpStatus = async (uri: string) => {
        const known = findStatusList(task, uri, results)
        if (known === 'unknown') missing.add(uri)
        return known === 'unknown' ? undefined : known?.token
      }
      const trust = { anchors, lookUpStatus, status_unavailable: task.status_unavailable }
      const outcome = await verifyPresentation(request, opened.vp_token, trust, task.now)
      evictStatusLists()
      const { environment } = task.trust
      return missing.size === 0
        ? toFinalResult(outcome)
        : requestLookup({ about: 'status', environment, uris: [...missing], now: task.now })
    }
  }
})

function toRefusedResult({ may_have_other_wallet, ...error }: WalletError): VerifiedResponse {
  const outcome: Outcome = { status: 'failed', claims: {}, credentials: [], error }
  return { kind: 'refused', outcome, may_have_other_wallet }
}

function requestLookup(lookup: TrustLookup): TaskOutcome<VerifiedResponse> {
  return { lookup }
}

function toFinalResult(outcome: Outcome): TaskOutcome<VerifiedResponse> {
  return { result: { kind: 'final', outcome } }
}

/** The same anchors stay the same array: the protocol package caches what it computed about them. */
function findAnchors(
  { trust, trust_version: version }: VerifyTask,
  results: TrustLookupResult[],
): readonly Anchor[] | undefined {
  const name = `${trust.environment} ${trust.tenant?.id ?? ''}`
  const known = anchorCache.get(name)
  if (known?.version === version) return known.anchors
  const anchors = results.find((result) => result.about === 'anchors')?.anchors
  if (anchors === undefined) return undefined
  anchorCache.set(name, { version, anchors })
  return anchors
}

/**
 * Undefined if the list is unavailable. The same token stays the same object: the protocol package opens and inflates it once.
 */
function findStatusList(
  { trust: { environment }, now }: VerifyTask,
  uri: string,
  results: TrustLookupResult[],
): KnownStatusList | undefined | 'unknown' {
  const name = `${environment} ${uri}`
  const known = statusListCache.get(name)
  if (known !== undefined && now < known.good_until) return known
  const listed = results
    .flatMap((result) => (result.about === 'status' ? result.lists : []))
    .find((list) => list.uri === uri)
  if (listed === undefined) return 'unknown'
  if (listed.found === undefined) return undefined
  const { version, good_until } = listed.found
  const token = known?.version === version ? known.token : listed.found.token
  const fresh = { version, good_until, token }
  // Moves a known list to the end: `evictStatusLists` starts with the first.
  statusListCache.delete(name)
  statusListCache.set(name, fresh)
  return fresh
}

/** Evicts the oldest lists until the cache is within its bounds. */
function evictStatusLists(): void {
  let bytes = statusListCache.values().reduce((sum, { token }) => sum + sizeInBytes(token), 0)
  for (const [name, { token }] of statusListCache) {
    if (bytes <= threadCaches.maxList_bytes && statusListCache.size <= threadCaches.maxLists) return
    statusListCache.delete(name)
    bytes -= sizeInBytes(token)
  }
}

function sizeInBytes(token: StatusListToken): number {
  const opened = openStatusList(token)
  return token.token.length + ('value' in opened ? opened.value.bytes.length : 0)
}
