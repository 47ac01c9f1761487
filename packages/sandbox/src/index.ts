export type { Alterations } from './alterations.ts'
export { dateTime, embedCbor, encodeCbor, fullDate, textMap, type Cbor } from './cbor/encode.ts'
export { validityAround, certify, createAuthority, type Authority } from './certificates/authority.ts'
export {
  extendedKeyUsage,
  keyUsage,
  octetStringExtension,
  subjectDnsName,
} from './certificates/extensions.ts'
export { toPem } from './certificates/sign-certificate.ts'
export type { CredentialCondition, DocumentName, Format, UnsignedCredential } from './documents/credential.ts'
export { describeFaults } from './faults/describe-faults.ts'
export { failureCodes, type Expectation, type Fault } from './faults/fault.ts'
export { faults, findFault } from './faults/list-faults.ts'
export {
  exportAnchors,
  createIssuer,
  sandboxStatusUri,
  type Issuer,
  type SandboxAnchor,
} from './issuer/create-issuer.ts'
export { issueMdoc, type MdocCredential } from './issuer/issue-mdoc.ts'
export { issueSdJwt, type SdJwtCredential } from './issuer/issue-sd-jwt.ts'
export { exportIssuer, importIssuer, type SerializedIssuer } from './issuer/serialize-issuer.ts'
export { serveStatusList, type StatusListToken } from './issuer/status-lists.ts'
export { createRegistrar, type Registrar } from './registrar/create-registrar.ts'
export {
  issueRegistration,
  registrationFaults,
  type RegistrationDraft,
  type RegistrationFault,
} from './registrar/issue-registration.ts'
export { serveRegistrationStatus } from './registrar/status-list.ts'
export { referToType, serveTypeMetadata, type TypeName } from './issuer/type-metadata.ts'
export {
  exportPem,
  generateSigningKey,
  importPem,
  type Algorithm,
  type SigningKey,
} from './keys/signing-key.ts'
export {
  expectedOutcome,
  findPersona,
  personas,
  createWallet,
  type Persona,
  type PersonaOutcome,
} from './personas.ts'
export { buildResponse, buildErrorResponse } from './wallet/build-response.ts'
export type { AuthorizationRequest, Channel, WalletRequest } from './wallet/authorization-request.ts'
export type { RegistrationPolicy, RegistrationResult } from './wallet/registration/registration.ts'
export type { Violation } from './wallet/violation.ts'
export type { ResponseForm, Wallet } from './wallet/wallet.ts'
export type { DcqlQuery } from './wallet/dcql.ts'
export type { Fetch } from './wallet/fetch-request.ts'
export type { Behaviour, RespondResult } from './wallet/respond-to-request.ts'
export { respond, type RespondOptions } from './wallet/respond.ts'
export type { AnnexCReading, WalletEcosystem } from './wallet/dc-api/check-request.ts'
export type { DcApiChannel } from './wallet/dc-api/choose-request.ts'
export { respondNearby, type NearbyResponse, type RespondNearbyOptions } from './wallet/proximity/respond.ts'
export {
  describeSession,
  exportReaderKey,
  openProximitySession,
  type ProximitySession,
} from './wallet/proximity/session.ts'
export {
  respondAsBrowser,
  respondToDcApi,
  type DcApiResult,
  type RespondAsBrowserOptions,
  type RespondToDcApiOptions,
} from './wallet/dc-api/respond.ts'
export {
  createListOperator,
  trustedListPurpose,
  vicalPurpose,
  type ListOperator,
} from './lists/list-operator.ts'
export {
  trustedListType,
  type TrustedListContent,
  type TrustedListPointer,
} from './lists/build-trusted-list.ts'
export { writeTrustedList, type TrustedListFault } from './lists/write-trusted-list.ts'
export { writeVical, type VicalContent, type VicalFault } from './lists/write-vical.ts'
