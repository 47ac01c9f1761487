type Operation = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: `/dashboard/api/${string}` }

/**
 * The path of each dashboard operation. This file imports nothing, so that pages can call the API without loading the schemas.
 * Operations of an environment have it in the path, so that a missing parameter cannot mix up test and live.
 */
export const dashboardPaths = {
  getSignIn: { method: 'GET', path: '/dashboard/api/sign-in' },
  startPasskeySignIn: { method: 'POST', path: '/dashboard/api/sign-in/passkey/options' },
  finishPasskeySignIn: { method: 'POST', path: '/dashboard/api/sign-in/passkey' },
  startOidcSignIn: { method: 'POST', path: '/dashboard/api/sign-in/oidc' },
  finishOidc: { method: 'GET', path: '/dashboard/api/sign-in/oidc/callback' },
  readInvitation: { method: 'POST', path: '/dashboard/api/invitation' },
  startPasskeyOfInvitation: { method: 'POST', path: '/dashboard/api/invitation/passkey/options' },
  acceptWithPasskey: { method: 'POST', path: '/dashboard/api/invitation/passkey' },
  acceptWithOidc: { method: 'POST', path: '/dashboard/api/invitation/oidc' },

  getMe: { method: 'GET', path: '/dashboard/api/me' },
  changeMe: { method: 'PUT', path: '/dashboard/api/me' },
  startPasskey: { method: 'POST', path: '/dashboard/api/me/passkeys/options' },
  addPasskey: { method: 'POST', path: '/dashboard/api/me/passkeys' },
  removePasskey: { method: 'DELETE', path: '/dashboard/api/me/passkeys/{id}' },
  startConfirmation: { method: 'POST', path: '/dashboard/api/me/confirmation/options' },
  confirmWithPasskey: { method: 'POST', path: '/dashboard/api/me/confirmation' },
  signOut: { method: 'POST', path: '/dashboard/api/sign-out' },
  switchCell: { method: 'POST', path: '/dashboard/api/switch' },
  endSession: { method: 'DELETE', path: '/dashboard/api/me/sessions/{id}' },
  signOutEverywhere: { method: 'POST', path: '/dashboard/api/sign-out-everywhere' },

  listAlerts: { method: 'GET', path: '/dashboard/api/{environment}/alerts' },
  getAlertChoices: { method: 'GET', path: '/dashboard/api/me/alerts' },
  changeAlertChoices: { method: 'PUT', path: '/dashboard/api/me/alerts' },
  getAlertWebhook: { method: 'GET', path: '/dashboard/api/settings/alert-webhook' },
  setAlertWebhook: { method: 'PUT', path: '/dashboard/api/settings/alert-webhook' },
  rotateAlertSecret: { method: 'POST', path: '/dashboard/api/settings/alert-webhook/secret' },
  removeAlertWebhook: { method: 'DELETE', path: '/dashboard/api/settings/alert-webhook' },

  getEvents: { method: 'GET', path: '/dashboard/api/{environment}/events' },
  getOverview: { method: 'GET', path: '/dashboard/api/{environment}/overview' },
  getFigures: { method: 'GET', path: '/dashboard/api/{environment}/figures' },

  listKeys: { method: 'GET', path: '/dashboard/api/{environment}/keys' },
  createKey: { method: 'POST', path: '/dashboard/api/{environment}/keys' },
  revokeKey: { method: 'DELETE', path: '/dashboard/api/{environment}/keys/{id}' },
  rollKey: { method: 'POST', path: '/dashboard/api/{environment}/keys/{id}/roll' },

  listOpenIdClients: { method: 'GET', path: '/dashboard/api/{environment}/openid-clients' },
  createOpenIdClient: { method: 'POST', path: '/dashboard/api/{environment}/openid-clients' },
  changeOpenIdClient: { method: 'PUT', path: '/dashboard/api/{environment}/openid-clients/{id}' },
  rollOpenIdClientSecret: {
    method: 'POST',
    path: '/dashboard/api/{environment}/openid-clients/{id}/roll-secret',
  },
  deleteOpenIdClient: { method: 'DELETE', path: '/dashboard/api/{environment}/openid-clients/{id}' },

  listLinks: { method: 'GET', path: '/dashboard/api/{environment}/links' },
  createLink: { method: 'POST', path: '/dashboard/api/{environment}/links' },
  getLink: { method: 'GET', path: '/dashboard/api/{environment}/links/{id}' },
  changeLink: { method: 'PUT', path: '/dashboard/api/{environment}/links/{id}' },
  deleteLink: { method: 'DELETE', path: '/dashboard/api/{environment}/links/{id}' },

  listWebhookEndpoints: { method: 'GET', path: '/dashboard/api/{environment}/webhook-endpoints' },
  createWebhookEndpoint: { method: 'POST', path: '/dashboard/api/{environment}/webhook-endpoints' },
  changeWebhookEndpoint: { method: 'PUT', path: '/dashboard/api/{environment}/webhook-endpoints/{id}' },
  deleteWebhookEndpoint: { method: 'DELETE', path: '/dashboard/api/{environment}/webhook-endpoints/{id}' },
  rotateWebhookEndpointSecret: {
    method: 'POST',
    path: '/dashboard/api/{environment}/webhook-endpoints/{id}/rotate',
  },
  getWebhookSecret: { method: 'GET', path: '/dashboard/api/{environment}/webhook-secret' },
  revealWebhookSecret: { method: 'POST', path: '/dashboard/api/{environment}/webhook-secret/reveal' },
  rotateWebhookSecret: { method: 'POST', path: '/dashboard/api/{environment}/webhook-secret/rotate' },
  listDeliveries: { method: 'GET', path: '/dashboard/api/{environment}/deliveries' },
  getDelivery: { method: 'GET', path: '/dashboard/api/{environment}/deliveries/{id}/{attempt}' },
  revealPayload: { method: 'POST', path: '/dashboard/api/{environment}/deliveries/{id}/payload' },
  getResend: { method: 'GET', path: '/dashboard/api/{environment}/resend' },
  resendFailed: { method: 'POST', path: '/dashboard/api/{environment}/resend' },
  resendWebhook: { method: 'POST', path: '/dashboard/api/{environment}/deliveries/{id}/resend' },
  sendTestEvent: { method: 'POST', path: '/dashboard/api/{environment}/test-event' },

  listDevices: { method: 'GET', path: '/dashboard/api/{environment}/devices' },
  registerDevice: { method: 'POST', path: '/dashboard/api/{environment}/devices' },
  revokeDevice: { method: 'DELETE', path: '/dashboard/api/{environment}/devices/{id}' },
  changeDevice: { method: 'PUT', path: '/dashboard/api/{environment}/devices/{id}' },
  renewPairingCode: { method: 'POST', path: '/dashboard/api/{environment}/devices/{id}/pairing-code' },

  listVerifications: { method: 'GET', path: '/dashboard/api/{environment}/verifications' },
  getVerification: { method: 'GET', path: '/dashboard/api/{environment}/verifications/{id}' },
  revealClaims: { method: 'POST', path: '/dashboard/api/{environment}/verifications/{id}/claims' },
  eraseVerification: { method: 'DELETE', path: '/dashboard/api/{environment}/verifications/{id}' },
  listPersonas: { method: 'GET', path: '/dashboard/api/personas' },
  createTestVerification: { method: 'POST', path: '/dashboard/api/test-verifications' },

  listTemplates: { method: 'GET', path: '/dashboard/api/templates' },
  getTemplate: { method: 'GET', path: '/dashboard/api/templates/{key}' },
  putTemplate: { method: 'PUT', path: '/dashboard/api/templates/{key}' },
  deleteTemplate: { method: 'DELETE', path: '/dashboard/api/templates/{key}' },
  duplicateTemplate: { method: 'POST', path: '/dashboard/api/templates/{key}/duplicate' },
  lintTemplate: { method: 'POST', path: '/dashboard/api/template-lint' },
  tryTemplate: { method: 'POST', path: '/dashboard/api/template-trials' },

  listRegistrations: { method: 'GET', path: '/dashboard/api/registrations' },
  addRegistration: { method: 'POST', path: '/dashboard/api/registrations' },
  readRegistration: { method: 'POST', path: '/dashboard/api/registrations/read' },
  changeRegistrationSettings: { method: 'PUT', path: '/dashboard/api/registrations/settings' },
  getRegistration: { method: 'GET', path: '/dashboard/api/registrations/{id}' },
  changeRegistration: { method: 'PUT', path: '/dashboard/api/registrations/{id}' },
  removeRegistration: { method: 'DELETE', path: '/dashboard/api/registrations/{id}' },
  checkRegistration: { method: 'POST', path: '/dashboard/api/registrations/{id}/check' },
  assignRegistration: { method: 'PUT', path: '/dashboard/api/templates/{key}/registration' },

  listRequests: { method: 'GET', path: '/dashboard/api/{environment}/requests' },
  search: { method: 'GET', path: '/dashboard/api/{environment}/search' },
  exportVerifications: { method: 'GET', path: '/dashboard/api/{environment}/verifications.csv' },
  exportClaims: { method: 'GET', path: '/dashboard/api/{environment}/claims.csv' },
  exportAuditCsv: { method: 'GET', path: '/dashboard/api/audit.csv' },
  changeRequestLog: { method: 'PUT', path: '/dashboard/api/settings/request-log' },

  getUsage: { method: 'GET', path: '/dashboard/api/usage' },
  exportUsage: { method: 'GET', path: '/dashboard/api/usage.csv' },

  listAudit: { method: 'GET', path: '/dashboard/api/audit' },
  exportAudit: { method: 'GET', path: '/dashboard/api/audit/export' },
  getAuditKey: { method: 'GET', path: '/dashboard/api/audit/public-key' },

  listTeam: { method: 'GET', path: '/dashboard/api/team' },
  inviteMember: { method: 'POST', path: '/dashboard/api/team/invitations' },
  withdrawInvitation: { method: 'DELETE', path: '/dashboard/api/team/invitations/{id}' },
  changeRole: { method: 'PUT', path: '/dashboard/api/team/members/{id}' },
  listMemberAccess: { method: 'GET', path: '/dashboard/api/team/members/{id}/access' },
  removeMember: { method: 'DELETE', path: '/dashboard/api/team/members/{id}' },

  getSettings: { method: 'GET', path: '/dashboard/api/settings' },
  changePolicies: { method: 'PUT', path: '/dashboard/api/settings/policies' },
  changeBrand: { method: 'PUT', path: '/dashboard/api/settings/brand' },
  changeHolderPage: { method: 'PUT', path: '/dashboard/api/settings/holder-page' },
  changeIdentity: { method: 'PUT', path: '/dashboard/api/settings/identity' },
  changeEcosystemIdentity: {
    method: 'PUT',
    path: '/dashboard/api/{environment}/settings/identities/{ecosystem}',
  },
  changeTrustPolicy: { method: 'PUT', path: '/dashboard/api/settings/trust-policy' },
  listServiceAnchors: { method: 'GET', path: '/dashboard/api/{environment}/anchors' },
  readAnchors: { method: 'POST', path: '/dashboard/api/{environment}/anchors/read' },
  addAnchors: { method: 'POST', path: '/dashboard/api/{environment}/anchors' },
  removeAnchor: { method: 'DELETE', path: '/dashboard/api/{environment}/anchors/{fingerprint}' },
} as const satisfies Record<string, Operation>

export type DashboardOperation = keyof typeof dashboardPaths
