export { addAnchors } from './anchors/add-anchor.ts'
export {
  type AnchorPage,
  type AnchorSummary,
  type CertificateSummary,
  countAnchors,
  listAnchorPage,
  listAnchors,
} from './anchors/list-anchors.ts'
export { removeAnchor } from './anchors/remove.ts'
export type { TrustContext } from './context.ts'
export { expiryStage, listExpiryWarnings } from './list-expiry-warnings.ts'
export {
  type CertificateEnd,
  describeAccessCertificate,
  listCertificateEnds,
  setIdentity,
} from './identity/set-identity.ts'
export {
  type AdditionalIdentity,
  type IdentityOwner,
  getEcosystemIdentities,
  issueEcosystemIdentity,
  listEcosystemIdentities,
  removeEcosystemIdentity,
  setEcosystemIdentity,
} from './identity/ecosystem-identities.ts'
export { getIdentity, getIdentityHash, isOwnCertificate } from './identity/get-identity.ts'
export { getVerifierNames } from './identity/get-verifier-names.ts'
export {
  type Identity,
  openIdentity,
  readChain,
  readDerChain,
  readIdentity,
} from './identity/open-identity.ts'
export { isListEnding, listMetricsInterval_ms, listTrustLists } from './lists/list-metrics.ts'
export { readListSettings } from './lists/read-settings.ts'
export { refreshAllLists, refreshDueLists } from './lists/refresh.ts'
export { madeAnchors, madeIdentities, endedAnchors, endedTenantAnchors } from './access/trust-access.ts'
export { type TrustService, openTrust } from './open.ts'
export {
  addRegistration,
  normaliseRegistration,
  previewRegistration,
} from './registrations/add-registration.ts'
export {
  assignTemplate,
  changeRegistration,
  forgetTemplate,
  removeRegistration,
  endedRegistrations,
} from './registrations/change-registration.ts'
export { describeFinding, findFailure } from './registrations/check/check-certificate.ts'
export { recheckDueRegistrations, recheckInterval_ms, recheckSoon } from './registrations/check/recheck.ts'
export {
  countRegistrationStates,
  countStatesInterval_ms,
  describeTemplateRegistration,
  type ExportedRegistration,
  exportRegistrations,
  listRegistrationWarnings,
  nameRegistrationOf,
  reportRegistrationStates,
} from './registrations/list-registrations.ts'
export { type RegistrationEndRow, listRegistrationEnds } from './registrations/list-ends.ts'
export {
  type SelectedRegistration,
  findExcess,
  findExcessOf,
  selectRegistration,
} from './registrations/select/select.ts'
export { getRegistrationSettings, setRegistrationSettings } from './registrations/settings.ts'
export { openSandboxIssuer } from './sandbox/open-sandbox.ts'
export { listPersonas, requirePersona, respondAsPersona } from './sandbox/respond-as-persona.ts'
export { rotateSandboxIssuer } from './sandbox/rotate-issuer.ts'
export { prefetchLists, sweepLists } from './status/prefetch.ts'
export {
  addTenantAnchors,
  previewAnchors,
  removeTenantAnchor,
  setTrustPolicy,
} from './tenant/change-anchors.ts'
export {
  type PemAnchor,
  type TenantTrust,
  exportTenantTrust,
  getTenantTrust,
  listTenantsTrustingLists,
  splitAnchors,
} from './tenant/get-trust.ts'
export { maxTenantAnchors } from './tenant/store.ts'
export { maxRegistrations } from './registrations/store.ts'
export type { TrustScope, VersionedScope } from './tenant/scope.ts'
export { type TypeResult, sweepTypes } from './types/lookup-type.ts'
