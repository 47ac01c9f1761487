import { queryBounds } from '../../packages/protocol/src/dcql/bound.ts'
import { maxClaimValues } from '../../packages/protocol/src/outcome/inspect-claims.ts'
import { presentationBounds } from '../../packages/protocol/src/outcome/read-vp-token.ts'
import { maxPlaces } from '../../packages/protocol/src/template/check.ts'
import { bounds as verifier } from '../../apps/service/src/verifications/open-verifier.ts'
import { limits as statusLists } from '../../apps/service/src/trust/status/fetch.ts'
import { limits as trustLists } from '../../apps/service/src/trust/lists/fetch.ts'
import type { Limit } from './limit.ts'

const query = { per: 'query', file: 'packages/protocol/src/dcql/bound.ts', beyond: '400 `invalid_request`' }
const presentations = {
  unit: 'presentations',
  per: 'wallet response',
  file: 'packages/protocol/src/outcome/read-vp-token.ts',
  beyond: '`failed`, `query_not_satisfied`',
}
const threads = { file: 'apps/service/src/verifications/open-verifier.ts', beyond: '503 `overloaded`' }
const status = { file: 'apps/service/src/trust/status/fetch.ts', per: 'status list' }
const trust = { file: 'apps/service/src/trust/lists/fetch.ts', per: 'trust list' }

export const verificationLimits: readonly Limit[] = [
  ...queryLimits(),
  {
    what: 'places over all names of a vocabulary',
    value: maxPlaces,
    unit: 'places',
    per: 'template',
    beyond: 'not saved',
    name: 'maxPlaces',
    file: 'packages/protocol/src/template/check.ts',
  },
  {
    what: 'presentations of one credential that was asked for with `multiple`',
    value: presentationBounds.maxPresentationsOfOne,
    name: 'presentationBounds.maxPresentationsOfOne',
    ...presentations,
  },
  {
    what: 'presentations in all',
    value: presentationBounds.maxPresentations,
    name: 'presentationBounds.maxPresentations',
    ...presentations,
  },
  {
    what: 'values in the claims of all presentations',
    value: maxClaimValues,
    unit: 'values',
    per: 'wallet response',
    beyond: '`failed`, `credential_malformed`',
    name: 'maxClaimValues',
    file: 'packages/protocol/src/outcome/inspect-claims.ts',
  },
  {
    what: 'time to check a wallet response',
    value: verifier.timeLimit_ms,
    unit: 'ms',
    per: 'wallet response',
    name: 'bounds.timeLimit_ms',
    ...threads,
  },
  {
    what: 'wallet responses waiting for a thread',
    value: verifier.maxWaiting,
    unit: 'responses',
    per: 'process',
    name: 'bounds.maxWaiting',
    ...threads,
  },
  {
    what: 'time to fetch',
    value: statusLists.timeout_ms,
    unit: 'ms',
    beyond: 'revocation is unknown',
    name: 'limits.timeout_ms',
    ...status,
  },
  {
    what: 'size',
    value: statusLists.max_response_bytes,
    unit: 'bytes',
    beyond: 'revocation is unknown',
    name: 'limits.max_response_bytes',
    ...status,
  },
  {
    what: 'time to fetch',
    value: trustLists.timeout_ms,
    unit: 'ms',
    beyond: 'the previous copy is kept',
    name: 'limits.timeout_ms',
    ...trust,
  },
  {
    what: 'size',
    value: trustLists.max_response_bytes,
    unit: 'bytes',
    beyond: 'the previous copy is kept',
    name: 'limits.max_response_bytes',
    ...trust,
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
