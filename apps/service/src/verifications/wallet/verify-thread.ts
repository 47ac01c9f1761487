import { createHash } from 'node:crypto'
import { constants, getPriority, setPriority } from 'node:os'
import {
  boundedMap,
  describeList,
  openResponse,
  readOcspUri,
  selectAgeAppQuery,
  verifyPresentation,
  type Anchor,
  type AnyQuery,
  type Outcome,
  type StatusListToken,
  type TypeReference,
  type WalletError,
} from '@vidimus/protocol'
import type { Environment } from '@vidimus/contract'
import type { TrustScope, TypeResult } from '../../trust/index.ts'
import { type EndStep, type TaskOutcome, readThreadData, serveTasks } from '../../engine/threads/index.ts'
import { bindToChannel, type VerificationBinding } from './bind-to-channel.ts'
import type { Channel } from './derive-secrets.ts'
import { openExpected } from './expected-values.ts'
import type { VerificationQuery } from './load-query.ts'
import { type SealingKeys, sealOutcome } from './seal-outcome.ts'
import { unpackAnchors, type PackedAnchors } from './pack-anchors.ts'
import { threadCaches } from './thread-caches.ts'

/**
 * A wallet response and everything it is verified against, as flat as possible: copying an object to a thread takes longer than
 * copying the same amount of text. The thread has no clock, so the task carries `now`, and `today` where the tenant is.
 */
export type VerifyTask = {
  body: string
  channel: Channel
  verification: VerificationBinding
  /** Encrypted, so that only a thread ever has what the merchant expects. */
  expected?: Uint8Array
  created_at: number
  requested: RequestedQuery
  trust: TrustScope
  trust_version: string
  status_unavailable: 'fail' | 'warning'
  now: number
  today: string
  /** If present, no claim leaves the thread unless it is encrypted to these keys. */
  sealing_keys?: SealingKeys
}

/** `malformed` is not a response to this verification. `unbound_error` may come from anybody. `refused` is final unless another wallet may respond. */
export type VerifiedResponse =
  | { kind: 'malformed'; reason: string }
  | { kind: 'unbound_error' }
  | { kind: 'final'; outcome: Outcome }
  | { kind: 'refused'; outcome: Outcome; may_have_other_wallet: boolean }

/** A version of a template, by its hash, is sent to a thread once. A query of the verification itself is sent with its task. */
type RequestedQuery = { template_version: string } | { query: AnyQuery }

/** The constants of every thread. */
export type VerifyThreadData = { base_url: string; derivation_key: Uint8Array }

/** What a thread needs but does not have, or has in a copy that may have been replaced. */
export type VerifyLookup =
  | { about: 'template'; template_version: string }
  | { about: 'anchors'; trust: TrustScope }
  | { about: 'status'; environment: Environment; lists: ListReference[]; now: number }
  | { about: 'types'; environment: Environment; references: TypeReference[]; now: number }
export type VerifyLookupResult =
  | { about: 'template'; template: VerificationQuery }
  | { about: 'anchors'; anchors: PackedAnchors }
  | { about: 'status'; lists: FoundStatusList[] }
  | { about: 'types'; types: FoundType[] }

/** `found` is undefined if the description is unavailable. */
export type FoundType = { reference: TypeReference; found: TypeResult }

/** A status list, or the certificate revocation list or OCSP response of the authority with this certificate (DER). */
export type ListReference = { uri: string; crl_issuer?: Uint8Array }
/** `found` is undefined if the list is unavailable. */
export type FoundStatusList = ListReference & { found: FetchedStatusList | undefined }
type FetchedStatusList = { version: string; good_until: number; token: StatusListToken }
type KnownStatusList = FetchedStatusList & { size_bytes: number }

const anchorCache = boundedMap<string, { version: string; anchors: readonly Anchor[] }>(
  threadCaches.maxScopes,
)
const templateCache = boundedMap<string, VerificationQuery>(threadCaches.maxTemplates)
const typeCache = boundedMap<string, NonNullable<TypeResult>>(threadCaches.maxTypes)
const statusListCache = new Map<string, KnownStatusList>()
const issuerHashes = new WeakMap<Uint8Array, string>()
const { base_url, derivation_key } = readThreadData() as VerifyThreadData // given by `openVerifier`

// The event loop, which everybody waits for, comes first. On Linux a priority belongs to a thread.
const { PRIORITY_BELOW_NORMAL } = constants.priority
if (process.platform === 'linux' && getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL)

serveTasks<VerifyTask, VerifiedResponse>(async (task, given, endStep) => {
  const performed = await verify(task, given, endStep)
  if ('lookup' in performed || task.sealing_keys === undefined || !('outcome' in performed.result))
    return performed
  const { verification, trust, now, sealing_keys: keys } = task
  const { outcome } = performed.result
  const requested = findQuery(task.requested, given as VerifyLookupResult[]) // made by `resolveLookup`
  const sealed = sealOutcome(outcome, {
    id: verification.id,
    environment: trust.environment,
    now,
    keys,
    clear_claims: 'rules' in requested ? requested.rules.clear_claims : undefined,
  })
  endStep?.('seal')
  return { result: { ...performed.result, outcome: sealed } }
})

async function verify(
  task: VerifyTask,
  given: unknown[],
  endStep: EndStep | undefined,
): Promise<TaskOutcome<VerifiedResponse>> {
  const results = given as VerifyLookupResult[] // made by `resolveLookup`
  // Before the verification, so that no work is repeated.
  const anchors = findAnchors(task, results)
  if (anchors === undefined) return requestLookup({ about: 'anchors', trust: task.trust })

  const requested = findQuery(task.requested, results)
  if ('template_version' in requested) return requestLookup({ about: 'template', ...requested })

  const dcql_query = selectQuery(task.channel, requested.query)
  const { verification, binding } = bindToChannel(task.verification, task.channel, {
    base_url,
    derivation_key,
    dcql_query,
  })
  const opened = openResponse(task.body, verification)
  endStep?.('decrypt')
  switch (opened.kind) {
    case 'malformed':
      return { result: opened }
    case 'error':
      return {
        result: opened.bound_to_verification ? toRefusedResult(opened.error) : { kind: 'unbound_error' },
      }
    case 'presentation': {
      const { created_at, today } = task
      const expected = task.expected && openExpected(derivation_key, task.verification.seed, task.expected)
      const request = {
        created_at,
        dcql_query,
        template: requested.rules,
        today,
        binding,
        ...(expected && { expected }),
      }
      const missing = new Map<string, ListReference>()
      const lookUpStatus = async (uri: string, crl_issuer?: Uint8Array) => {
        const reference = { uri, ...(crl_issuer && { crl_issuer }) }
        const known = findStatusList(task, reference, results)
        if (known !== 'unknown') return known?.token
        // An authority may publish its list in several places, or have several responders. The next is tried only if the first has none.
        const name =
          crl_issuer === undefined ? uri : (readOcspUri(uri)?.certificate_id ?? hashIssuer(crl_issuer))
        if (!missing.has(name)) missing.set(name, reference)
        return undefined
      }
      const missingTypes: TypeReference[] = []
      const lookUpType = async (reference: TypeReference) => {
        const found = findType(reference, results)
        if (found === 'unknown') missingTypes.push(reference)
        return found === 'unknown' ? undefined : found
      }
      const { status_unavailable } = task
      const trust = { anchors, lookUpStatus, lookUpType, status_unavailable, ...(endStep && { endStep }) }
      const outcome = await verifyPresentation(request, opened.vp_token, trust, task.now)
      evictStatusLists()
      const { environment } = task.trust
      // A status is looked up only once the type is known.
      if (missingTypes.length > 0)
        return requestLookup({ about: 'types', environment, references: missingTypes, now: task.now })
      return missing.size === 0
        ? toFinalResult(outcome)
        : requestLookup({ about: 'status', environment, lists: [...missing.values()], now: task.now })
    }
  }
}

function toRefusedResult({ may_have_other_wallet, ...error }: WalletError): VerifiedResponse {
  const outcome: Outcome = { status: 'failed', claims: {}, credentials: [], error }
  return { kind: 'refused', outcome, may_have_other_wallet }
}

function requestLookup(lookup: VerifyLookup): TaskOutcome<VerifiedResponse> {
  return { lookup }
}

function toFinalResult(outcome: Outcome): TaskOutcome<VerifiedResponse> {
  return { result: { kind: 'final', outcome } }
}

/** The version itself if the thread does not have it yet. */
function findQuery(
  requested: RequestedQuery,
  results: VerifyLookupResult[],
): VerificationQuery | { template_version: string } {
  if ('query' in requested) return { query: requested.query, rules: {} }
  const known = templateCache.get(requested.template_version)
  if (known !== undefined) return known
  const template = results.find((result) => result.about === 'template')?.template
  if (template === undefined) return requested
  templateCache.set(requested.template_version, template)
  return template
}

/** The age app is asked for a part of the query. A verification whose query has no such part has no address for its response. */
function selectQuery({ kind }: Channel, query: AnyQuery): AnyQuery {
  if (kind !== 'age_app' && kind !== 'age_app_screen') return query
  const selected = selectAgeAppQuery(query)
  if (selected === undefined) throw new Error('the age app was not asked')
  return selected
}

/** The same anchors stay the same array: the protocol package caches what it computed about them. */
function findAnchors(
  { trust, trust_version: version }: VerifyTask,
  results: VerifyLookupResult[],
): readonly Anchor[] | undefined {
  const name = `${trust.environment} ${trust.tenant?.id ?? ''}`
  const known = anchorCache.get(name)
  if (known?.version === version) return known.anchors
  const found = results.find((result) => result.about === 'anchors')?.anchors
  if (found === undefined) return undefined
  const anchors = unpackAnchors(found)
  anchorCache.set(name, { version, anchors })
  return anchors
}

/** Undefined if the description is unavailable. What matched its hash stays true, so it is kept. */
function findType(reference: TypeReference, results: VerifyLookupResult[]): TypeResult | 'unknown' {
  const name = `${reference.uri} ${reference.integrity}`
  const known = typeCache.get(name)
  if (known !== undefined) return known
  const listed = results
    .flatMap((result) => (result.about === 'types' ? result.types : []))
    .find(({ reference: { uri, integrity } }) => uri === reference.uri && integrity === reference.integrity)
  if (listed === undefined) return 'unknown'
  if (listed.found !== undefined && 'value' in listed.found) typeCache.set(name, listed.found)
  return listed.found
}

/**
 * Undefined if the list is unavailable. The same token stays the same object: the protocol package opens and inflates it once.
 */
function findStatusList(
  { trust: { environment }, now }: VerifyTask,
  reference: ListReference,
  results: VerifyLookupResult[],
): KnownStatusList | undefined | 'unknown' {
  const name = nameList(environment, reference)
  const known = statusListCache.get(name)
  if (known !== undefined && now < known.good_until) return known
  const listed = results
    .flatMap((result) => (result.about === 'status' ? result.lists : []))
    .find((list) => nameList(environment, list) === name)
  if (listed === undefined) return 'unknown'
  if (listed.found === undefined) return undefined
  const { version, good_until, token } = listed.found
  const fresh =
    known?.version === version
      ? { ...known, good_until }
      : { version, good_until, token, size_bytes: sizeInBytes(token, reference) }
  // Moves a known list to the end: `evictStatusLists` starts with the first.
  statusListCache.delete(name)
  statusListCache.set(name, fresh)
  return fresh
}

/** Evicts the oldest lists until the cache is within its bounds. */
function evictStatusLists(): void {
  let bytes = statusListCache.values().reduce((sum, { size_bytes }) => sum + size_bytes, 0)
  for (const [name, { size_bytes }] of statusListCache) {
    if (bytes <= threadCaches.maxList_bytes && statusListCache.size <= threadCaches.maxLists) return
    statusListCache.delete(name)
    bytes -= size_bytes
  }
}

function sizeInBytes(token: StatusListToken, { uri, crl_issuer }: ListReference): number {
  const described = describeList(token, crl_issuer, uri)
  return 'value' in described ? described.value.size_bytes : token.token.length
}

function nameList(environment: Environment, { uri, crl_issuer }: ListReference): string {
  return crl_issuer === undefined
    ? `${environment} ${uri}`
    : `${environment} ${uri} ${hashIssuer(crl_issuer)}`
}

/** The protocol package keeps the certificates of trusted authorities, so the same bytes are the same object. */
function hashIssuer(certificate: Uint8Array): string {
  let hash = issuerHashes.get(certificate)
  if (hash === undefined) {
    hash = createHash('sha256').update(certificate).digest('base64')
    issuerHashes.set(certificate, hash)
  }
  return hash
}
