/**
 * Everything that is entered in a tenant's chain. docs/audit.md explains each, and the tests make every one of them: an action
 * that is not here does not compile, and one that is here without its test does not either.
 */
export const auditActions = [
  'device.enrolled',
  'device.registered',
  'device.revoked',
  'key.created',
  'key.revoked',
  'template.put',
  'tenant.created',
  'tenant.identity_changed',
  'tenant.policies_changed',
  'tenant.quota_changed',
  'tenant.trust_changed',
  'verification.completed',
  'verification.created',
  'verification.erased',
  'verification.failed',
  'verification.redeemed',
  'webhook.resent',
  'webhook_secret.rotated',
] as const
export type AuditAction = (typeof auditActions)[number]
