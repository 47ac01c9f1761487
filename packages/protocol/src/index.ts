export {
  buildAnnexCRequest,
  buildDeviceRequest,
  type AnnexCRequest,
  type AnnexCRequestInput,
} from './annex-c/build-request.ts'
export { buildEncryptionInfo } from './annex-c/encryption-info.ts'
export type { Reader } from './annex-c/sign-reader-auth.ts'
export { boundedMap, type BoundedMap } from './bounded-map.ts'
export { checks, type Check, type CheckName } from './checks.ts'
export { fromDerSignature } from './crypto/ecdsa-signature.ts'
export { findQueryWarnings } from './dcql/check/find-warnings.ts'
export { checkBounds } from './dcql/check/check-bounds.ts'
export { checkQuery } from './dcql/check/check-query.ts'
export { completeQuery, findOmissions } from './dcql/complete-query.ts'
export { stateRetention } from './dcql/state-retention.ts'
export type * from './dcql/query.ts'
export { failures, type Explanation, type FailureCode } from './failures.ts'
export type { Json, JsonObject } from './json.ts'
export { buildSessionTranscript } from './mdoc/session-transcript.ts'
export { verifyDeviceResponse, verifyMdoc } from './mdoc/verify.ts'
export { ocspLimits } from './ocsp/read.ts'
export { readOcspUri } from './ocsp/request.ts'
export type * from './presentation.ts'
export { readReaderSession, type ReaderKey, type ReaderSession } from './proximity/read-session.ts'
export { buildVerifierInfo, findRegistrationToken } from './registration/build-verifier-info.ts'
export { checkRegistrationStatus } from './registration/check-registration-status.ts'
export { findUnregistered } from './registration/find-unregistered.ts'
export { isBoundTo, readCertificateSubject } from './registration/is-bound-to.ts'
export { readRegistration, type ReadRegistrationOptions } from './registration/read-registration.ts'
export type * from './registration/registration.ts'
export { trimToRegistration } from './registration/trim-query.ts'
export {
  ageAppClientId,
  buildAgeAppUri,
  selectAgeAppQuery,
  type AgeAppRequest,
} from './request/build-age-app-uri.ts'
export {
  checkIdentity,
  type CheckedIdentity,
  type Ecosystem,
  type IdentityFinding,
} from './identity/check-identity.ts'
export {
  buildRelyingPartyMetadata,
  hashRelyingPartyMetadata,
  readRelyingPartyMetadata,
  relyingPartyMetadataOid,
  type RelyingPartyMetadata,
} from './identity/relying-party-metadata.ts'
export { buildDcApiRequest, type DcApiRequestInput, type DcApiRequestObject } from './request/build-dc-api.ts'
export {
  buildRequest,
  type RequestInput,
  type RequestObject,
  type VerifierAttestation,
} from './request/build.ts'
export type { ClientMetadata, ExtraClientMetadata } from './request/client-metadata.ts'
export { identifyVerifier, type IdentityOptions, type VerifierIdentity } from './request/identify.ts'
export { makeEncryptionKey, type EncryptionJwk, type EncryptionKey } from './request/make-encryption-key.ts'
export { readRequestPost, type RequestPost } from './request/read-post.ts'
export {
  signRequest,
  signRequestByAll,
  type MultiSignedRequest,
  type RequestIdentity,
  type RequestSigner,
} from './request/sign.ts'
export { buildWalletUri, type WalletUri } from './request/build-wallet-uri.ts'
export { readSubject } from './x509/read-certificate.ts'
export type { WalletError } from './response/read-wallet-error.ts'
export { dcProtocols, multiSignedProtocol, readDcChannel, type DcChannel } from './response/dc-protocols.ts'
export { openResponse } from './response/open.ts'
export type { ExpectedResponse } from './response/expected-response.ts'
export type { WalletResponse } from './response/wallet-response.ts'
export { buildRedirectUrl } from './response/build-redirect-url.ts'
export { basePidType } from './sd-jwt/types/national-pid.ts'
export { maxTypeSteps } from './sd-jwt/types/find-extended-types.ts'
export {
  makeTypeReference,
  maxTypeMetadata_bytes,
  readTypeMetadata,
} from './sd-jwt/types/read-type-metadata.ts'
export { verifySdJwt } from './sd-jwt/verify.ts'
export { checkStatus } from './status/check.ts'
export { findSignerRejection, type StatusSubject } from './status/check-signer.ts'
export { describeList, type ListDescription } from './status/describe-list.ts'
export { openStatusList, type StatusList } from './status/open.ts'
export {
  bindTemplate,
  checkTemplate,
  findMissingInput,
  isTemplate,
  sampleTemplate,
} from './template/bind-template.ts'
export { checkExpected, listCompared, matchesExpected } from './template/compare-claim.ts'
export { isAllClear, isYesNo } from './template/is-yes-no.ts'
export { restrictTemplate } from './template/restrict.ts'
export type * from './template/template.ts'
export { anchorRoles } from './trust/anchor-roles.ts'
export { findListSignerKey, type ListSigners } from './trust/find-list-signer.ts'
export type { ListedAnchor, RequestedService } from './trust/read-entities.ts'
export type { ListPointer, PointerEntry } from './trust/read-pointers.ts'
export { findServiceRole } from './trust/service-roles.ts'
export { readTrustList, type TrustList, type TrustListRequest } from './trust/read-list.ts'
export {
  readTrustServices,
  type TrustServiceEntry,
  type TrustServiceList,
  type TrustServiceProvider,
  type TrustServicesRequest,
} from './trust/read-trust-services.ts'
export { readVical, type VicalRequest } from './trust/read-vical.ts'
export { readPemAnchors } from './trust/read-pem.ts'
export { verifyPresentation } from './verify-presentation.ts'
