const actionLabels: Record<string, string> = {
  'key.created': 'API key created',
  'key.revoked': 'API key revoked',
  'device.registered': 'Device registered',
  'device.enrolled': 'Device paired',
  'device.revoked': 'Device revoked',
  'verification.created': 'Verification created',
  'verification.answered': 'Verification answered, result held back',
  'verification.completed': 'Verification completed',
  'verification.failed': 'Verification failed',
  'verification.redeemed': 'Response code redeemed',
  'verification.erased': 'Verification erased',
  'verification.claims_revealed': 'Claims looked at',
  'webhook.resent': 'Webhook sent again',
  'webhook.test_sent': 'Test event sent',
  'webhook_secret.rotated': 'Signing secret rotated',
  'webhook_secret.revealed': 'Signing secret looked at',
  'template.put': 'Template saved',
  'tenant.created': 'Tenant created',
  'tenant.identity_changed': 'Access certificate changed',
  'tenant.policies_changed': 'Result settings changed',
  'tenant.trust_changed': 'Trust changed',
  'tenant.brand_changed': 'Brand changed',
  'tenant.quota_changed': 'Quota changed',
  'member.invited': 'Member invited',
  'member.joined': 'Member joined',
  'member.removed': 'Member removed',
  'member.role_changed': 'Role changed',
  'member.signed_in': 'Signed in',
}

/** An action in words. One that is newer than this page is shown by its name. */
export function actionLabel(action: string): string {
  const plain = action.replaceAll(/[._]/g, ' ')
  return actionLabels[action] ?? plain.replace(/^./, (letter) => letter.toUpperCase())
}
