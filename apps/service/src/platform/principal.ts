import type { Environment, Scope } from '@vidimus/contract'

/** Who calls, once authenticated: everything it may see or do follows from this. */
export type Principal = KeyPrincipal | DevicePrincipal

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
