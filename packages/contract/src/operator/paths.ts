type Operation = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: `/operator/v1/${string}` }

/** The path of each operation of the operators' API. This file imports nothing, so that the console can call it without loading the schemas. */
export const operatorPaths = {
  getSignIn: { method: 'GET', path: '/operator/v1/sign-in' },
  startSignIn: { method: 'POST', path: '/operator/v1/sign-in/options' },
  finishSignIn: { method: 'POST', path: '/operator/v1/sign-in' },
  startOidcSignIn: { method: 'POST', path: '/operator/v1/sign-in/oidc' },
  finishOidc: { method: 'GET', path: '/operator/v1/sign-in/oidc/callback' },
  readInvitation: { method: 'POST', path: '/operator/v1/invitation' },
  startInvitation: { method: 'POST', path: '/operator/v1/invitation/options' },
  acceptInvitation: { method: 'POST', path: '/operator/v1/invitation/passkey' },
  acceptWithOidc: { method: 'POST', path: '/operator/v1/invitation/oidc' },

  getMe: { method: 'GET', path: '/operator/v1/me' },
  startConfirmation: { method: 'POST', path: '/operator/v1/me/confirmation/options' },
  confirm: { method: 'POST', path: '/operator/v1/me/confirmation' },
  startOidcConfirmation: { method: 'POST', path: '/operator/v1/me/confirmation/oidc' },
  startPasskey: { method: 'POST', path: '/operator/v1/me/passkeys/options' },
  addPasskey: { method: 'POST', path: '/operator/v1/me/passkeys' },
  removePasskey: { method: 'DELETE', path: '/operator/v1/me/passkeys/{id}' },
  signOut: { method: 'POST', path: '/operator/v1/sign-out' },
  signOutEverywhere: { method: 'POST', path: '/operator/v1/sign-out-everywhere' },

  listOperators: { method: 'GET', path: '/operator/v1/operators' },
  addOperator: { method: 'POST', path: '/operator/v1/operators' },
  inviteOperator: { method: 'POST', path: '/operator/v1/operators/{id}/invitation' },
  changeOperatorRole: { method: 'PUT', path: '/operator/v1/operators/{id}/role' },
  removeOperator: { method: 'DELETE', path: '/operator/v1/operators/{id}' },

  listTenants: { method: 'GET', path: '/operator/v1/tenants' },
  listAttention: { method: 'GET', path: '/operator/v1/attention' },
  createTenant: { method: 'POST', path: '/operator/v1/tenants' },
  getTenant: { method: 'GET', path: '/operator/v1/tenants/{id}' },
  inviteOwner: { method: 'POST', path: '/operator/v1/tenants/{id}/owner-invitation' },
  setTenantPlan: { method: 'PUT', path: '/operator/v1/tenants/{id}/plan' },
  setTenantQuota: { method: 'PUT', path: '/operator/v1/tenants/{id}/quota' },
  suspendTenant: { method: 'POST', path: '/operator/v1/tenants/{id}/suspend' },
  resumeTenant: { method: 'POST', path: '/operator/v1/tenants/{id}/resume' },
  closeTenant: { method: 'POST', path: '/operator/v1/tenants/{id}/close' },
  deleteTenant: { method: 'POST', path: '/operator/v1/tenants/{id}/deletion' },
  keepTenant: { method: 'DELETE', path: '/operator/v1/tenants/{id}/deletion' },

  listSignUps: { method: 'GET', path: '/operator/v1/sign-ups' },
  approveTenant: { method: 'POST', path: '/operator/v1/tenants/{id}/approve' },
  refuseTenant: { method: 'POST', path: '/operator/v1/tenants/{id}/refuse' },

  getSupportAccess: { method: 'GET', path: '/operator/v1/tenants/{id}/support' },
  takeSupportAccess: { method: 'POST', path: '/operator/v1/tenants/{id}/support' },
  endSupportAccess: { method: 'DELETE', path: '/operator/v1/tenants/{id}/support' },
  listSupportVerifications: {
    method: 'GET',
    path: '/operator/v1/tenants/{id}/support/{environment}/verifications',
  },
  getSupportVerification: {
    method: 'GET',
    path: '/operator/v1/tenants/{id}/support/{environment}/verifications/{verification_id}',
  },
  listSupportDeliveries: {
    method: 'GET',
    path: '/operator/v1/tenants/{id}/support/{environment}/deliveries',
  },
  listSupportRequests: { method: 'GET', path: '/operator/v1/tenants/{id}/support/{environment}/requests' },
  getSupportConfig: { method: 'GET', path: '/operator/v1/tenants/{id}/support/{environment}/config' },

  listPlans: { method: 'GET', path: '/operator/v1/plans' },
  setPlan: { method: 'PUT', path: '/operator/v1/plans/{name}' },
  removePlan: { method: 'DELETE', path: '/operator/v1/plans/{name}' },

  listUsage: { method: 'GET', path: '/operator/v1/usage' },
  exportUsage: { method: 'GET', path: '/operator/v1/usage.csv' },
  getHealth: { method: 'GET', path: '/operator/v1/health' },
  search: { method: 'GET', path: '/operator/v1/search' },

  listLog: { method: 'GET', path: '/operator/v1/log' },
  getLogKey: { method: 'GET', path: '/operator/v1/log/public-key' },
  proveLogEntry: { method: 'GET', path: '/operator/v1/log/{seq}/proof' },
  verifyLog: { method: 'POST', path: '/operator/v1/log/verification' },

  listTokens: { method: 'GET', path: '/operator/v1/tokens' },
  createToken: { method: 'POST', path: '/operator/v1/tokens' },
  revokeToken: { method: 'DELETE', path: '/operator/v1/tokens/{id}' },
} as const satisfies Record<string, Operation>

export type OperatorOperation = keyof typeof operatorPaths
