/** The roles of operators. Each operator has one, in the whole installation. */
export const operatorRoles = ['owner', 'support', 'billing', 'auditor'] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** What each role may do. This file imports nothing, so that the console can use it to hide what an operator may not do. */
export const operatorPermissions = {
  read_tenants: ['owner', 'support', 'billing'],
  manage_tenants: ['owner'],
  read_plans: ['owner', 'support', 'billing'],
  /** The plans, and which plan and quota a tenant has. */
  manage_plans: ['owner', 'billing'],
  read_usage: ['owner', 'billing', 'auditor'],
  read_health: ['owner', 'support', 'auditor'],
  /** Finds the tenant, state and times of an id, without claims. */
  search: ['owner', 'support'],
  read_log: ['owner', 'auditor'],
  /** What a tenant shows while it lets operators look. Never claims or secrets. */
  support_tenants: ['owner', 'support'],
  manage_operators: ['owner'],
} as const satisfies Record<string, readonly OperatorRole[]>

export type OperatorPermission = keyof typeof operatorPermissions

export function operatorMay(role: OperatorRole, permission: OperatorPermission): boolean {
  return (operatorPermissions[permission] as readonly OperatorRole[]).includes(role)
}

/** Whether an operator may give a token this role: it may do no more than they. */
export function mayHoldOperatorRole(role: OperatorRole, given: OperatorRole): boolean {
  return role === 'owner' || role === given
}
