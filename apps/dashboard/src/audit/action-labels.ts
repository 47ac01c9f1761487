import type { AuditAction } from '@vidimus/contract'

const actionLabels: Record<AuditAction, string> = {
  'device.enrolled': 'Device paired',
  'device.registered': 'Device registered',
  'device.revoked': 'Device revoked',
  'key.created': 'API key created',
  'key.revoked': 'API key revoked',
  'member.identity_linked': 'Identity provider account linked',
  'member.invitation_withdrawn': 'Invitation withdrawn',
  'member.invited': 'Member invited',
  'member.joined': 'Member joined',
  'member.passkey_added': 'Passkey added',
  'member.passkey_removed': 'Passkey removed',
  'member.removed': 'Member removed',
  'member.renamed': 'Member renamed',
  'member.returned': 'Sign-in link used',
  'member.role_changed': 'Role changed',
  'member.signed_in': 'Signed in',
  'member.signed_out': 'Signed out',
  'member.signed_out_everywhere': 'Signed out everywhere',
  'template.put': 'Template saved',
  'tenant.brand_changed': 'Brand changed',
  'tenant.created': 'Tenant created',
  'tenant.holder_page_changed': 'Holder’s page settings changed',
  'tenant.identity_changed': 'Certificate or verifier information changed',
  'tenant.policies_changed': 'Result settings changed',
  'tenant.quota_changed': 'Quota changed',
  'tenant.trust_changed': 'Trusted issuers changed',
  'verification.answered': 'Wallet responded, result withheld',
  'verification.claims_revealed': 'Claims revealed',
  'verification.completed': 'Verification completed',
  'verification.created': 'Verification created',
  'verification.erased': 'Verification erased',
  'verification.failed': 'Verification failed',
  'verification.redeemed': 'Response code redeemed',
  'webhook.resent': 'Webhook resent',
  'webhook.test_sent': 'Test event sent',
  'webhook_secret.revealed': 'Signing secret revealed',
  'webhook_secret.rotated': 'Signing secret rotated',
}

/** The label of an action. A page that is older than the service derives one from a new action's code. */
export function actionLabel(action: string): string {
  if (isKnownAction(action)) return actionLabels[action]
  const plain = action.replaceAll(/[._]/g, ' ')
  return plain.replace(/^./, (letter) => letter.toUpperCase())
}

function isKnownAction(action: string): action is AuditAction {
  return Object.hasOwn(actionLabels, action)
}
