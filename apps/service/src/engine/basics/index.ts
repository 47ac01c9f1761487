export type { ApiRequest } from './api-request.ts'
export { explainUnreadable } from './explain-unreadable.ts'
export { cellOfSessionId, dayOfSessionId, dayOfSessionIdStart, newSessionId } from './ids.ts'
export {
  type AuthenticatedSession,
  type ClientPrincipal,
  type DevicePrincipal,
  type KeyPrincipal,
  type Member,
  type MemberPrincipal,
  type Principal,
  actorOf,
} from './principal.ts'
export { Refusal, notFound } from './refusal.ts'
export { suggest } from './suggest.ts'
