import type { Environment, OperatorRole, Role, Scope } from '@vidimus/contract'
import type { ChangeVersion } from '../db/change-version/query-as-of.ts'

/** The authenticated caller. It determines everything the request may see or do. */
export type Principal =
  | KeyPrincipal
  | DevicePrincipal
  | MemberPrincipal
  | ClientPrincipal
  | LinkPrincipal
  | HolderPrincipal

type AuthenticatedAt = {
  /** The change version that was read when the caller was authenticated: copies of it are current for this request. Absent if none was read. */
  change_version?: ChangeVersion
}

export type KeyPrincipal = AuthenticatedAt & {
  kind: 'key'
  key_id: string
  tenant_id: string
  environment: Environment
  scopes: readonly Scope[]
}

export type DevicePrincipal = AuthenticatedAt & {
  kind: 'device'
  device_id: string
  name: string
  tenant_id: string
  environment: Environment
  allowed_templates: readonly string[]
  scopes: readonly Scope[]
  /** Whether the member who registered it may read claims. If not, it may only use templates that disclose a yes or no. */
  reads_claims: boolean
}

/** A site that requests verifications through OpenID Connect. The name is for the audit log. */
export type ClientPrincipal = AuthenticatedAt & {
  kind: 'client'
  client_id: string
  name: string
  tenant_id: string
  environment: Environment
}

/** A verification link that somebody opened. Its name may name a person, so the audit log has only the id. */
export type LinkPrincipal = AuthenticatedAt & {
  kind: 'link'
  link_id: string
  tenant_id: string
  environment: Environment
}

/** A person on a page for holders. Deliberately not identified. */
type HolderPrincipal = AuthenticatedAt & {
  kind: 'holder'
  tenant_id: string
  environment: Environment
}

/** A person signed in to the dashboard. The name is for the audit log. */
export type Member = {
  kind: 'member'
  member_id: string
  name: string
  role: Role
  tenant_id: string
}

/** The session of a dashboard request. `confirmed`: the member authenticated within the last minutes. */
export type AuthenticatedSession = { member: Member; confirmed: boolean }

/** A member in the environment that the URL names. Use cases accept it like an API key. */
export type MemberPrincipal = AuthenticatedAt & Member & { environment: Environment }

/** A person who operates the installation, or a program with a token of theirs. The name is for the installation's log. */
export type OperatorPrincipal = { kind: 'operator'; operator_id: string; name: string; role: OperatorRole }

/** The caller of the operators' API. `presence`: a program has none, and a person's was confirmed within the last minutes or not. */
export type AuthenticatedOperator = {
  operator: OperatorPrincipal
  presence: 'confirmed' | 'unconfirmed' | 'program'
}

/** The actor as recorded in the audit chain and the log: kind and id. */
export function actorOf(principal: Principal | Member): string {
  switch (principal.kind) {
    case 'key':
      return `key:${principal.key_id}`
    case 'device':
      return `device:${principal.device_id}`
    case 'client':
      return `client:${principal.client_id}`
    case 'link':
      return `link:${principal.link_id}`
    case 'holder':
      return 'holder'
    case 'member':
      return `member:${principal.member_id}`
  }
}

/** A finished request as its tenant may see it: nothing of its body or of a response. */
export type ApiRequest = {
  principal: Principal
  request_id: string
  method: string
  route: string
  status: number
  error_code: string | undefined
  /** The header `X-Service-Warning` of the response. */
  warning: string | undefined
  duration_ms: number
  idempotency: 'new' | 'replayed' | 'conflict' | undefined
  /** The verification that the request was about. Its id is a capability: store only a hash. */
  verification_id: string | undefined
}
