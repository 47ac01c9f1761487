export {
  type ApiRequest,
  type AuthenticatedOperator,
  type AuthenticatedSession,
  type ClientPrincipal,
  type DevicePrincipal,
  type KeyPrincipal,
  type LinkPrincipal,
  type Member,
  type MemberPrincipal,
  type OperatorPrincipal,
  type Principal,
  actorOf,
} from './principal.ts'
export { Refusal, explainUnreadable, notFound } from './refusal.ts'
export {
  cellOfVerificationId,
  confirmationCode,
  dayOfVerificationId,
  dayOfVerificationIdStart,
  newVerificationId,
} from './ids.ts'
export { programVersion } from './version.ts'
export { suggest } from './suggest.ts'
