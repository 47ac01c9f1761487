export {
  type ApiRequest,
  type AuthenticatedSession,
  type ClientPrincipal,
  type DevicePrincipal,
  type KeyPrincipal,
  type Member,
  type MemberPrincipal,
  type Principal,
  actorOf,
} from './principal.ts'
export { Refusal, explainUnreadable, notFound } from './refusal.ts'
export { cellOfSessionId, dayOfSessionId, dayOfSessionIdStart, newSessionId } from './ids.ts'
export { suggest } from './suggest.ts'
