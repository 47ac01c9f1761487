import { maxUnreadableResponses } from '../../apps/service/src/verifications/wallet/accept-response.ts'
import { codeAccepted_seconds } from '../../apps/service/src/verifications/wallet/moving-code.ts'
import { queryBounds } from '../../packages/protocol/src/dcql/check/check-bounds.ts'
import { maxClaimValues } from '../../packages/protocol/src/outcome/inspect-claims.ts'
import { presentationBounds } from '../../packages/protocol/src/outcome/read-vp-token.ts'
import { maxPlaces } from '../../packages/protocol/src/template/check.ts'
import { maxParameterCombinations, maxParameters } from '../../packages/protocol/src/template/parameters.ts'
import { maxAcceptedValues } from '../../packages/protocol/src/template/requirement.ts'
import { verifierBounds } from '../../apps/service/src/verifications/wallet/open-verifier.ts'
import { threadCaches } from '../../apps/service/src/verifications/wallet/thread-caches.ts'
import { maxDeviceResponse_characters, maxEngagement_characters } from '../../packages/contract/src/reader.ts'
import {
  maxIndexedAtOnce,
  minUnindexed,
} from '../../apps/service/src/verifications/metadata/index-verifications.ts'
import {
  maxMetadata_bytes,
  maxMetadataKeys,
  maxMetadataPair_characters,
  maxMetadataPairs,
} from '../../packages/contract/src/values.ts'
import { maxAttempts, maxQuery_characters } from '../../packages/contract/src/verification-requests.ts'
import { maxLargePages, maxPage_bytes } from '../../apps/service/src/verifications/read/list-verifications.ts'
import { maxCounted } from '../../apps/service/src/verifications/figures/store.ts'
import {
  maxWarning_characters,
  maxWarnings,
} from '../../apps/service/src/verifications/create/resolve-query.ts'
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
const creation = { per: 'verification', whenExceeded: '400 `invalid_request`' }
const filter = {
  per: 'list',
  file: 'packages/contract/src/values.ts',
  whenExceeded: '400 `invalid_request`',
}
const index = { file: 'apps/service/src/verifications/metadata/index-verifications.ts' }
const list = { file: 'apps/service/src/verifications/read/list-verifications.ts' }

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
    what: 'pairs of `metadata` to find',
    value: maxMetadataPairs,
    unit: 'pairs',
    name: 'maxMetadataPairs',
    ...filter,
  },
  {
    what: 'a name or value of `metadata` to find',
    value: maxMetadataPair_characters,
    unit: 'characters',
    name: 'maxMetadataPair_characters',
    ...filter,
  },
  {
    what: 'verifications whose metadata is indexed together',
    value: maxIndexedAtOnce,
    unit: 'verifications',
    per: 'transaction',
    name: 'maxIndexedAtOnce',
    whenExceeded: 'the next follow',
    ...index,
  },
  {
    what: 'verifications before their metadata is indexed',
    value: minUnindexed,
    unit: 'verifications',
    per: 'tenant and day',
    name: 'minUnindexed',
    whenExceeded: 'they are indexed; before, a search reads them',
    ...index,
  },
  {
    what: 'warnings of a creation',
    value: maxWarnings,
    unit: 'warnings',
    per: 'verification',
    whenExceeded: 'the last says that there are more',
    name: 'maxWarnings',
    file: 'apps/service/src/verifications/create/resolve-query.ts',
  },
  {
    what: 'one warning',
    value: maxWarning_characters,
    unit: 'characters',
    per: 'verification',
    whenExceeded: 'it is cut off',
    name: 'maxWarning_characters',
    file: 'apps/service/src/verifications/create/resolve-query.ts',
  },
  {
    what: '`max_attempts`',
    value: maxAttempts,
    unit: 'responses',
    name: 'maxAttempts',
    file: 'packages/contract/src/verification-requests.ts',
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
    what: 'verifications that were not counted in advance, for the figures of the overview',
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
    what: 'values that a requirement accepts',
    value: maxAcceptedValues,
    unit: 'values',
    per: 'requirement',
    whenExceeded: 'not saved',
    name: 'maxAcceptedValues',
    file: 'packages/protocol/src/template/requirement.ts',
  },
  {
    what: 'parameters',
    value: maxParameters,
    unit: 'parameters',
    per: 'template',
    whenExceeded: 'not saved',
    name: 'maxParameters',
    file: 'packages/protocol/src/template/parameters.ts',
  },
  {
    what: 'combinations of the values of its parameters, each a stored version',
    value: maxParameterCombinations,
    unit: 'combinations',
    per: 'template',
    whenExceeded: 'not saved',
    name: 'maxParameterCombinations',
    file: 'packages/protocol/src/template/parameters.ts',
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
    what: 'engagement of a wallet nearby, and each message of its handover',
    value: maxEngagement_characters,
    unit: 'characters',
    per: 'request of a reader',
    whenExceeded: '400 `invalid_request`',
    name: 'maxEngagement_characters',
    file: 'packages/contract/src/reader.ts',
  },
  {
    what: 'DeviceResponse of a wallet nearby',
    value: maxDeviceResponse_characters,
    unit: 'characters',
    per: 'presentation of a reader',
    whenExceeded: '400 `invalid_request`',
    name: 'maxDeviceResponse_characters',
    file: 'packages/contract/src/reader.ts',
  },
  {
    what: 'responses that cannot be read and leave the verification open',
    value: maxUnreadableResponses,
    unit: 'responses',
    per: 'verification',
    whenExceeded: '`failed`, `credential_malformed`',
    name: 'maxUnreadableResponses',
    file: 'apps/service/src/verifications/wallet/accept-response.ts',
  },
  {
    what: 'time for which a moving QR code works after it left the screen',
    value: codeAccepted_seconds,
    unit: 's',
    per: 'code',
    whenExceeded: '410 `session_expired`',
    name: 'codeAccepted_seconds',
    file: 'apps/service/src/verifications/wallet/moving-code.ts',
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
