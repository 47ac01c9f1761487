/** The roles of members. Each member has one role in one tenant. */
export const roles = ['owner', 'admin', 'developer', 'support', 'auditor'] as const
export type Role = (typeof roles)[number]

/** What each role may do. This file imports nothing, so that pages can use it to hide what a member may not do. */
export const permissions = {
  /** Lists and statistics, without claims or secrets. */
  read: ['owner', 'admin', 'developer', 'support', 'auditor'],
  read_claims: ['owner', 'admin', 'developer'],
  read_secret: ['owner', 'admin'],
  read_audit: ['owner', 'admin', 'auditor'],
  manage_keys: ['owner', 'admin', 'developer'],
  rotate_secret: ['owner', 'admin'],
  send_webhooks: ['owner', 'admin', 'developer', 'support'],
  manage_endpoints: ['owner', 'admin', 'developer'],
  manage_devices: ['owner', 'admin', 'developer', 'support'],
  create_verifications: ['owner', 'admin', 'developer'],
  manage_links: ['owner', 'admin', 'developer'],
  erase_verifications: ['owner', 'admin'],
  manage_templates: ['owner', 'admin', 'developer'],
  manage_team: ['owner', 'admin'],
  manage_settings: ['owner', 'admin'],
  /** Lets the operator's support look. Whoever manages the settings can end it. */
  grant_support: ['owner'],
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof permissions

export function may(role: Role, permission: Permission): boolean {
  return (permissions[permission] as readonly Role[]).includes(role)
}

/** The permission a member needs to create an API key with each scope: a key may do no more than the member who creates it. */
const scopePermissions = {
  'verifications:create': 'create_verifications',
  'verifications:read': 'read_claims',
  'verifications:delete': 'erase_verifications',
  'devices:manage': 'manage_devices',
  'webhooks:manage': 'manage_endpoints',
  'links:manage': 'manage_links',
  'config:read': 'read',
  'members:read': 'read',
  'requests:read': 'read',
  'audit:read': 'read_audit',
  'templates:manage': 'manage_templates',
  'settings:manage': 'manage_settings',
  'trust:manage': 'manage_settings',
  'openid_clients:manage': 'manage_keys',
  'sealing:manage': 'manage_settings',
  'keys:manage': 'manage_keys',
} as const satisfies Record<string, Permission>

export function mayGrantScope(role: Role, scope: keyof typeof scopePermissions): boolean {
  return may(role, 'manage_keys') && may(role, scopePermissions[scope])
}

/**
 * Everything that gives access without the session of the member who made it. `needs` is what the maker must be allowed to do, because
 * anybody who has the object can do it. When the maker is removed or gets a role that lacks one of these, a credential ends and an
 * address stays, unless the request decides otherwise; what stays is taken over by the member who decided.
 */
export const accessKinds = {
  api_key: { type: 'credential', needs: ['manage_keys'] },
  /** One that only uses yes/no templates needs no `read_claims` to be made, but may still have earlier results. */
  device: { type: 'credential', needs: ['manage_devices', 'read_claims'] },
  openid_client: { type: 'credential', needs: ['manage_keys', 'create_verifications', 'read_claims'] },
  webhook_endpoint: { type: 'address', needs: ['manage_endpoints', 'read_claims'] },
  alert_webhook: { type: 'address', needs: ['manage_settings'] },
  trust_anchor: { type: 'address', needs: ['manage_settings'] },
  access_certificate: { type: 'address', needs: ['manage_settings'] },
} as const satisfies Record<string, { type: 'credential' | 'address'; needs: readonly Permission[] }>

export type AccessKind = keyof typeof accessKinds

/** Whether a role may be responsible for such an object: for a key, one with these scopes. */
export function mayHold(
  role: Role,
  {
    kind,
    scopes = [],
  }: { kind: AccessKind; scopes?: readonly (keyof typeof scopePermissions)[] | undefined },
): boolean {
  return (
    accessKinds[kind].needs.every((permission) => may(role, permission)) &&
    scopes.every((scope) => mayGrantScope(role, scope))
  )
}
