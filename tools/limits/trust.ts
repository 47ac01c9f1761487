import { lookupLimits } from '../../apps/service/src/trust/status/lookup.ts'
import { fetchLimits } from '../../apps/service/src/trust/fetch-allowance.ts'
import {
  crlLifetime_seconds,
  crlLimits,
  limits as statusLists,
} from '../../apps/service/src/trust/status/save-list.ts'
import { maxRevocationUris } from '../../packages/protocol/src/x509/read-extensions.ts'
import { ocspLimits } from '../../packages/protocol/src/ocsp/read.ts'
import { maxIdentifiers } from '../../packages/protocol/src/status/open-identifier-list.ts'
import {
  limits as types,
  typeCache,
  typeLookupLimits,
} from '../../apps/service/src/trust/types/lookup-type.ts'
import { maxTypeSteps } from '../../packages/protocol/src/sd-jwt/types/find-extended-types.ts'
import { limits as trustLists } from '../../apps/service/src/trust/lists/refresh.ts'
import { maxFollowedLists } from '../../apps/service/src/trust/lists/follow.ts'
import { readerBounds } from '../../apps/service/src/trust/lists/read/open-reader.ts'
import { maxAnchors } from '../../packages/protocol/src/trust/read-entities.ts'
import { maxPidTypes } from '../../apps/service/src/templates/pid-types.ts'
import { maxJsonFile_bytes } from '../../apps/service/src/engine/config/read-json.ts'
import { pointerLimits } from '../../packages/protocol/src/trust/read-pointers.ts'
import type { Limit } from './limit.ts'

const lookups = { file: 'apps/service/src/trust/status/lookup.ts', whenExceeded: '503 `overloaded`' }
const status = { file: 'apps/service/src/trust/status/save-list.ts', per: 'status list' }
const typeLookups = { file: 'apps/service/src/trust/types/lookup-type.ts', whenExceeded: '503 `overloaded`' }
const typeMetadata = {
  file: 'apps/service/src/trust/types/lookup-type.ts',
  per: 'description of a type',
  whenExceeded: '`failed`, `query_not_satisfied`',
}
const crl = { per: 'certificate revocation list', whenExceeded: 'revocation is unknown' }
const ocsp = { per: 'OCSP response', whenExceeded: '`failed`, `status_unavailable`' }
const trust = { file: 'apps/service/src/trust/lists/refresh.ts', per: 'trust list' }
const listReader = {
  file: 'apps/service/src/trust/lists/read/open-reader.ts',
  per: 'trust list',
  whenExceeded: 'the previous copy is kept',
}

const pidTypes = {
  file: 'apps/service/src/templates/pid-types.ts',
  per: '`PID_TYPES_FILE`',
  whenExceeded: 'the program does not start',
}

export const trustLimits: readonly Limit[] = [
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
    what: 'status lists, certificate revocation lists and descriptions of types fetched for verifications',
    value: fetchLimits.maxPerMinute_bytes,
    unit: 'bytes in a minute',
    per: 'tenant and process',
    file: 'apps/service/src/trust/fetch-allowance.ts',
    name: 'fetchLimits.maxPerMinute_bytes',
    whenExceeded: 'what is in flight is finished; others are unavailable for the rest of the minute',
  },
  {
    what: 'what a fetch counts as, at least',
    value: fetchLimits.minFetch_bytes,
    unit: 'bytes',
    per: 'fetch',
    file: 'apps/service/src/trust/fetch-allowance.ts',
    name: 'fetchLimits.minFetch_bytes',
    whenExceeded: 'the received bytes count',
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
    file: 'apps/service/src/trust/status/save-list.ts',
    ...crl,
  },
  {
    what: 'size',
    value: crlLimits.max_response_bytes,
    unit: 'bytes',
    name: 'crlLimits.max_response_bytes',
    file: 'apps/service/src/trust/status/save-list.ts',
    ...crl,
  },
  {
    what: 'size',
    value: ocspLimits.response_bytes,
    unit: 'bytes',
    name: 'ocspLimits.response_bytes',
    file: 'packages/protocol/src/ocsp/read.ts',
    ...ocsp,
  },
  {
    what: 'certificates',
    value: ocspLimits.certificates,
    unit: 'certificates',
    name: 'ocspLimits.certificates',
    file: 'packages/protocol/src/ocsp/read.ts',
    ...ocsp,
  },
  {
    what: 'certificates that it is about',
    value: ocspLimits.statuses,
    unit: 'certificates',
    name: 'ocspLimits.statuses',
    file: 'packages/protocol/src/ocsp/read.ts',
    ...ocsp,
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
    what: 'places of its revocation list, or responders, that are tried',
    value: maxRevocationUris,
    unit: 'places',
    per: 'certificate',
    whenExceeded: 'the others are ignored',
    name: 'maxRevocationUris',
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
  {
    what: 'national PID types',
    value: maxPidTypes,
    unit: 'types',
    name: 'maxPidTypes',
    ...pidTypes,
  },
  {
    what: 'size of a JSON file that a setting names',
    value: maxJsonFile_bytes,
    unit: 'bytes',
    name: 'maxJsonFile_bytes',
    ...pidTypes,
    file: 'apps/service/src/engine/config/read-json.ts',
  },
  {
    what: 'lists that it points to',
    value: pointerLimits.maxPointers,
    unit: 'lists',
    name: 'pointerLimits.maxPointers',
    ...listReader,
    file: 'packages/protocol/src/trust/read-pointers.ts',
  },
  {
    what: 'signers of a list that it points to',
    value: pointerLimits.maxSigners,
    unit: 'certificates',
    name: 'pointerLimits.maxSigners',
    ...listReader,
    file: 'packages/protocol/src/trust/read-pointers.ts',
  },
  {
    what: 'lists that others point to',
    value: maxFollowedLists,
    unit: 'lists',
    per: 'installation',
    whenExceeded: 'the others are not followed',
    name: 'maxFollowedLists',
    file: 'apps/service/src/trust/lists/follow.ts',
  },
]
