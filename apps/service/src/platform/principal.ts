import type { Environment, Role, Scope } from '@vidimus/contract'

/** Who calls, once authenticated: everything it may see or do follows from this. */
export type Principal = KeyPrincipal | DevicePrincipal | MemberPrincipal

export type KeyPrincipal = {
  kind: 'key'
  key_id: string
  tenant_id: string
  environment: Environment
  scopes: readonly Scope[]
}

export type DevicePrincipal = {
  kind: 'device'
  device_id: string
  name: string
  tenant_id: string
  environment: Environment
  allowed_templates: readonly string[]
  scopes: readonly Scope[]
}

/** Somebody who is signed in to the dashboard. Its name is for the audit log. */
export type Member = {
  kind: 'member'
  member_id: string
  name: string
  role: Role
  tenant_id: string
}

/** A member in the environment that the address names: with it, everything a key can do is done by the same use cases. */
export type MemberPrincipal = Member & { environment: Environment }

/** The actor as the audit chain and the log name it: kind and id. */
export function actorOf(principal: Principal | Member): string {
  switch (principal.kind) {
    case 'key':
      return `key:${principal.key_id}`
    case 'device':
      return `device:${principal.device_id}`
    case 'member':
      return `member:${principal.member_id}`
  }
}
