import { queryBounds } from '../../packages/protocol/src/dcql/check/check-bounds.ts'
import { maxClaimValues } from '../../packages/protocol/src/outcome/inspect-claims.ts'
import { presentationBounds } from '../../packages/protocol/src/outcome/read-vp-token.ts'
import { maxPlaces } from '../../packages/protocol/src/template/check.ts'
import { verifierBounds } from '../../apps/service/src/verifications/wallet/open-verifier.ts'
import { threadCaches } from '../../apps/service/src/verifications/wallet/thread-caches.ts'
import { lookupLimits } from '../../apps/service/src/trust/status/lookup.ts'
import { crlLimits, limits as statusLists } from '../../apps/service/src/trust/status/fetch.ts'
import { crlLifetime_seconds } from '../../apps/service/src/trust/status/save-list.ts'
import { maxCrlUris } from '../../packages/protocol/src/x509/read-extensions.ts'
import { maxIdentifiers } from '../../packages/protocol/src/status/open-identifier-list.ts'
import { typeCache, typeLookupLimits } from '../../apps/service/src/trust/types/lookup.ts'
import { limits as types } from '../../apps/service/src/trust/types/fetch.ts'
import { maxTypeSteps } from '../../packages/protocol/src/sd-jwt/types/find-extended-types.ts'
import { limits as trustLists } from '../../apps/service/src/trust/lists/fetch.ts'
import { readerBounds } from '../../apps/service/src/trust/lists/read/open-reader.ts'
import { maxAnchors } from '../../packages/protocol/src/trust/read-entities.ts'
import { maxMetadata_bytes, maxMetadataKeys } from '../../packages/contract/src/values.ts'
import { maxQuery_characters } from '../../packages/contract/src/verification-requests.ts'
import { maxLargePages, maxPage_bytes } from '../../apps/service/src/verifications/read/list.ts'
import { maxCounted } from '../../apps/service/src/verifications/figures/store.ts'
import type { Limit } from './limit.ts'

const query = {
  per: 'query',
  file: 'packages/protocol/src/dcql/check/check-bounds.ts',
  whenExceeded: '400 `invalid_request`',
}
const presentations = {
  unit: 'presentations',
  per: 'wallet response',
  file: 'packages/protocol/src/outcome/read-vp-token.ts',
  whenExceeded: '`failed`, `query_not_satisfied`',
}
const threads = {
  file: 'apps/service/src/verifications/wallet/open-verifier.ts',
  whenExceeded: '503 `overloaded`',
}
const caches = {
  per: 'thread',
  file: 'apps/service/src/verifications/wallet/thread-caches.ts',
  whenExceeded: 'the oldest are dropped',
}
const lookups = { file: 'apps/service/src/trust/status/lookup.ts', whenExceeded: '503 `overloaded`' }
const status = { file: 'apps/service/src/trust/status/fetch.ts', per: 'status list' }
const typeLookups = { file: 'apps/service/src/trust/types/lookup.ts', whenExceeded: '503 `overloaded`' }
const typeMetadata = {
  file: 'apps/service/src/trust/types/fetch.ts',
  per: 'description of a type',
  whenExceeded: '`failed`, `query_not_satisfied`',
}
const crl = { per: 'certificate revocation list', whenExceeded: 'revocation is unknown' }
const trust = { file: 'apps/service/src/trust/lists/fetch.ts', per: 'trust list' }
const listReader = {
  file: 'apps/service/src/trust/lists/read/open-reader.ts',
  per: 'trust list',
  whenExceeded: 'the previous copy is kept',
}

const creation = { per: 'verification', whenExceeded: '400 `invalid_request`' }
const list = { file: 'apps/service/src/verifications/read/list.ts' }

export const verificationLimits: readonly Limit[] = [
  {
    what: 'members of `metadata`',
    value: maxMetadataKeys,
    unit: 'members',
    name: 'maxMetadataKeys',
    file: 'packages/contract/src/values.ts',
    ...creation,
  },
  {
    what: '`metadata`, names and values',
    value: maxMetadata_bytes,
    unit: 'bytes',
    name: 'maxMetadata_bytes',
    file: 'packages/contract/src/values.ts',
    ...creation,
  },
  {
    what: '`query` as JSON',
    value: maxQuery_characters,
    unit: 'characters',
    name: 'maxQuery_characters',
    file: 'packages/contract/src/verification-requests.ts',
    ...creation,
  },
  {
    what: 'page of a list of verifications',
    value: maxPage_bytes.large,
    unit: 'bytes',
    per: 'request',
    whenExceeded: '400 `invalid_request`: use a smaller `limit`',
    name: 'maxPage_bytes.large',
    ...list,
  },
  {
    what: 'verifications of days that are not counted yet, for the figures of the overview',
    value: maxCounted,
    unit: 'verifications',
    per: 'request',
    whenExceeded: 'only the newest are included, and the page says so',
    name: 'maxCounted',
    file: 'apps/service/src/verifications/figures/store.ts',
  },
  {
    what: 'pages of more than 256 KiB read concurrently',
    value: maxLargePages.each,
    unit: 'pages',
    per: 'tenant and process',
    whenExceeded: '429 `rate_limit_exceeded`',
    name: 'maxLargePages.each',
    ...list,
  },
  {
    what: 'pages of more than 256 KiB read concurrently',
    value: maxLargePages.all,
    unit: 'pages',
    per: 'process',
    whenExceeded: '503 `overloaded`',
    name: 'maxLargePages.all',
    ...list,
  },
  ...queryLimits(),
  {
    what: 'places over all names of the vocabulary',
    value: maxPlaces,
    unit: 'places',
    per: 'template',
    whenExceeded: 'not saved',
    name: 'maxPlaces',
    file: 'packages/protocol/src/template/check.ts',
  },
  {
    what: 'presentations of one credential requested with `multiple`',
    value: presentationBounds.maxPresentationsPerCredential,
    name: 'presentationBounds.maxPresentationsPerCredential',
    ...presentations,
  },
  {
    what: 'presentations in total',
    value: presentationBounds.maxPresentations,
    name: 'presentationBounds.maxPresentations',
    ...presentations,
  },
  {
    what: 'values in the claims of all presentations',
    value: maxClaimValues,
    unit: 'values',
    per: 'wallet response',
    whenExceeded: '`failed`, `credential_malformed`',
    name: 'maxClaimValues',
    file: 'packages/protocol/src/outcome/inspect-claims.ts',
  },
  {
    what: 'CPU time to verify a wallet response',
    value: verifierBounds.cpu_ms,
    unit: 'ms',
    per: 'wallet response',
    name: 'verifierBounds.cpu_ms',
    ...threads,
    whenExceeded: '`failed`, `credential_malformed`',
  },
  {
    what: 'JavaScript heap of a verification thread',
    value: verifierBounds.maxHeap_mb,
    unit: 'MB',
    per: 'thread',
    name: 'verifierBounds.maxHeap_mb',
    ...threads,
    whenExceeded: '`failed`, `credential_malformed`',
  },
  {
    what: 'time to verify a wallet response, including waiting',
    value: verifierBounds.deadline_ms,
    unit: 'ms',
    per: 'wallet response',
    name: 'verifierBounds.deadline_ms',
    ...threads,
  },
  {
    what: 'wallet responses being verified or waiting',
    value: verifierBounds.maxTasksPerOwner,
    unit: 'responses',
    per: 'tenant and process',
    name: 'verifierBounds.maxTasksPerOwner',
    ...threads,
  },
  {
    what: 'wallet responses being verified or waiting',
    value: verifierBounds.maxTasks,
    unit: 'responses',
    per: 'process',
    name: 'verifierBounds.maxTasks',
    ...threads,
  },
  {
    what: 'bytes of wallet responses being verified or waiting',
    value: verifierBounds.maxBytesPerOwner,
    unit: 'bytes',
    per: 'tenant and process',
    name: 'verifierBounds.maxBytesPerOwner',
    ...threads,
  },
  {
    what: 'bytes of wallet responses being verified or waiting',
    value: verifierBounds.maxBytes,
    unit: 'bytes',
    per: 'process',
    name: 'verifierBounds.maxBytes',
    ...threads,
  },
  {
    what: 'sets of trust anchors cached by a thread',
    value: threadCaches.maxScopes,
    unit: 'sets',
    name: 'threadCaches.maxScopes',
    ...caches,
  },
  {
    what: 'template versions cached by a thread',
    value: threadCaches.maxTemplates,
    unit: 'versions',
    name: 'threadCaches.maxTemplates',
    ...caches,
  },
  {
    what: 'descriptions of types cached by a thread',
    value: threadCaches.maxTypes,
    unit: 'descriptions',
    name: 'threadCaches.maxTypes',
    ...caches,
  },
  {
    what: 'status lists cached by a thread',
    value: threadCaches.maxLists,
    unit: 'lists',
    name: 'threadCaches.maxLists',
    ...caches,
  },
  {
    what: 'bytes of status lists cached by a thread',
    value: threadCaches.maxList_bytes,
    unit: 'bytes',
    name: 'threadCaches.maxList_bytes',
    ...caches,
  },
  {
    what: 'concurrent status list lookups',
    value: lookupLimits.maxLookupsPerTenant,
    unit: 'lookups',
    per: 'tenant and process',
    name: 'lookupLimits.maxLookupsPerTenant',
    ...lookups,
  },
  {
    what: 'concurrent status list lookups',
    value: lookupLimits.maxLookups,
    unit: 'lookups',
    per: 'process',
    name: 'lookupLimits.maxLookups',
    ...lookups,
  },
  {
    what: 'time to fetch it',
    value: statusLists.timeout_ms,
    unit: 'ms',
    whenExceeded: 'revocation is unknown',
    name: 'limits.timeout_ms',
    ...status,
  },
  {
    what: 'size',
    value: statusLists.max_response_bytes,
    unit: 'bytes',
    whenExceeded: 'revocation is unknown',
    name: 'limits.max_response_bytes',
    ...status,
  },
  {
    what: 'identifiers',
    value: maxIdentifiers,
    unit: 'identifiers',
    per: 'identifier list',
    whenExceeded: '`failed`, `status_unavailable`',
    name: 'maxIdentifiers',
    file: 'packages/protocol/src/status/open-identifier-list.ts',
  },
  {
    what: 'time to fetch it',
    value: crlLimits.timeout_ms,
    unit: 'ms',
    name: 'crlLimits.timeout_ms',
    file: 'apps/service/src/trust/status/fetch.ts',
    ...crl,
  },
  {
    what: 'size',
    value: crlLimits.max_response_bytes,
    unit: 'bytes',
    name: 'crlLimits.max_response_bytes',
    file: 'apps/service/src/trust/status/fetch.ts',
    ...crl,
  },
  {
    what: 'age of a copy, while its authority cannot be reached',
    value: crlLifetime_seconds.max,
    unit: 'seconds',
    name: 'crlLifetime_seconds.max',
    file: 'apps/service/src/trust/status/save-list.ts',
    ...crl,
  },
  {
    what: 'places of its revocation list that are tried',
    value: maxCrlUris,
    unit: 'places',
    per: 'certificate',
    whenExceeded: 'the others are ignored',
    name: 'maxCrlUris',
    file: 'packages/protocol/src/x509/read-extensions.ts',
  },
  {
    what: 'types between that of a credential and the requested one that it extends',
    value: maxTypeSteps,
    unit: 'descriptions',
    per: 'credential',
    file: 'packages/protocol/src/sd-jwt/types/find-extended-types.ts',
    name: 'maxTypeSteps',
    whenExceeded: '`failed`, `query_not_satisfied`',
  },
  {
    what: 'concurrent lookups of descriptions of types',
    value: typeLookupLimits.maxLookupsPerTenant,
    unit: 'lookups',
    per: 'tenant and process',
    name: 'typeLookupLimits.maxLookupsPerTenant',
    ...typeLookups,
  },
  {
    what: 'concurrent lookups of descriptions of types',
    value: typeLookupLimits.maxLookups,
    unit: 'lookups',
    per: 'process',
    name: 'typeLookupLimits.maxLookups',
    ...typeLookups,
  },
  {
    what: 'descriptions of types cached',
    value: typeCache.maxTypes,
    unit: 'descriptions',
    per: 'process',
    name: 'typeCache.maxTypes',
    ...typeLookups,
    whenExceeded: 'the oldest are dropped',
  },
  {
    what: 'time to fetch it',
    value: types.timeout_ms,
    unit: 'ms',
    name: 'limits.timeout_ms',
    ...typeMetadata,
  },
  {
    what: 'size',
    value: types.max_response_bytes,
    unit: 'bytes',
    name: 'limits.max_response_bytes',
    ...typeMetadata,
  },
  {
    what: 'time to fetch it',
    value: trustLists.timeout_ms,
    unit: 'ms',
    whenExceeded: 'the previous copy is kept',
    name: 'limits.timeout_ms',
    ...trust,
  },
  {
    what: 'size',
    value: trustLists.max_response_bytes,
    unit: 'bytes',
    whenExceeded: 'the previous copy is kept',
    name: 'limits.max_response_bytes',
    ...trust,
  },
  {
    what: 'CPU time to read it',
    value: readerBounds.cpu_ms,
    unit: 'ms',
    name: 'readerBounds.cpu_ms',
    ...listReader,
  },
  {
    what: 'memory to read it',
    value: readerBounds.maxHeap_mb,
    unit: 'MB',
    name: 'readerBounds.maxHeap_mb',
    ...listReader,
  },
  {
    what: 'certificates',
    value: maxAnchors,
    unit: 'certificates',
    name: 'maxAnchors',
    ...listReader,
    file: 'packages/protocol/src/trust/read-entities.ts',
  },
]

function queryLimits(): Limit[] {
  const whats: Record<keyof typeof queryBounds, [what: string, unit: string]> = {
    maxCredentials: ['credentials', 'credentials'],
    maxClaims: ['claims over all credentials', 'claims'],
    maxClaimSets: ['claim sets over all credentials', 'claim sets'],
    maxClaimSetIds: ['ids over all claim sets', 'ids'],
    maxValues: ['`values` over all claims', 'values'],
    maxCredentialSets: ['credential sets', 'credential sets'],
    maxCredentialSetIds: ['options and ids over all credential sets', 'options and ids'],
    maxTypesAndAuthorities: ['`vct_values` and `trusted_authorities` over all credentials', 'names'],
  }
  return Object.entries(whats).map(([name, [what, unit]]) => ({
    what,
    unit,
    value: queryBounds[name as keyof typeof queryBounds], // the keys of `whats`
    name: `queryBounds.${name}`,
    ...query,
  }))
}
