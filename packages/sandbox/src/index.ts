export type { Alterations } from './alterations.ts'
export { around, certify, createAuthority, type Authority } from './certificates/authority.ts'
export { keyUsage, subjectDnsName } from './certificates/extensions.ts'
export { toPem } from './certificates/sign-certificate.ts'
export type { Condition, DocumentName, Format, Holding } from './documents/holding.ts'
export { describeFaults, faultsMarkdown } from './faults/describe-faults.ts'
export { failureCodes, type Expectation, type Fault } from './faults/fault.ts'
export { faults, findFault } from './faults/list-faults.ts'
export { anchorsOf, createIssuer, type Issuer, type SandboxAnchor } from './issuer/create-issuer.ts'
export { issueMdoc, type MdocCredential } from './issuer/issue-mdoc.ts'
export { issueSdJwt, type SdJwtCredential } from './issuer/issue-sd-jwt.ts'
export { exportIssuer, importIssuer, type KeptIssuer } from './issuer/keep-issuer.ts'
export { serveStatusList, type StatusListToken } from './issuer/status-lists.ts'
export { generateSigningKey, type Algorithm, type SigningKey } from './keys/signing-key.ts'
export {
  expectedOutcome,
  findPersona,
  personas,
  templateNames,
  walletOf,
  type Persona,
  type PersonaOutcome,
  type TemplateName,
} from './personas.ts'
export { answerRequest, refusal, type Form, type Wallet } from './wallet/answer-request.ts'
export type { AuthorizationRequest } from './wallet/authorization-request.ts'
export type { Complaint } from './wallet/complaint.ts'
export type { DcqlQuery } from './wallet/dcql.ts'
export type { Fetch } from './wallet/fetch-request.ts'
export { respond, type Behaviour, type Responded, type RespondOptions } from './wallet/respond.ts'
