import { z } from 'zod'
import type { DashboardRoute } from './dashboard/route.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import type { PublishedRoute } from './route.ts'
import type { Scope } from './scopes.ts'
import type { DashboardOperation } from './dashboard/paths.ts'

type KeyAccess = {
  method: PublishedRoute['method']
  path: `/v1/${string}`
  scope: Scope
  /** What the response is. */
  returns: string
}

/**
 * What an API key can do of what members do in the dashboard. Both call the same use case with the same schemas; a key's environment is
 * its own, so its paths name none. What makes people members, reveals a stored secret or shows claims is not here.
 */
const keyAccess = {
  getTemplate: {
    method: 'GET',
    path: '/v1/templates/{key}',
    scope: 'config:read',
    returns: 'The template as it is now.',
  },
  putTemplate: {
    method: 'PUT',
    path: '/v1/templates/{key}',
    scope: 'templates:manage',
    returns: 'The template was saved. Verifications that were created before keep the version before.',
  },
  deleteTemplate: {
    method: 'DELETE',
    path: '/v1/templates/{key}',
    scope: 'templates:manage',
    returns: 'The template is gone.',
  },
  lintTemplate: {
    method: 'POST',
    path: '/v1/templates/lint',
    scope: 'config:read',
    returns: 'What is wrong with the template, and what is worth knowing. Nothing is saved.',
  },
  tryTemplate: {
    method: 'POST',
    path: '/v1/templates/try',
    scope: 'templates:manage',
    returns: 'What the sandbox wallet of a fictitious person responded.',
  },
  assignRegistration: {
    method: 'PUT',
    path: '/v1/templates/{key}/registration',
    scope: 'templates:manage',
    returns: 'The template with its registration.',
  },
  getSettings: {
    method: 'GET',
    path: '/v1/settings',
    scope: 'config:read',
    returns: 'All settings of the tenant. They apply to both environments.',
  },
  changeBrand: {
    method: 'PUT',
    path: '/v1/settings/brand',
    scope: 'settings:manage',
    returns: 'All settings as they are now.',
  },
  changePolicies: {
    method: 'PATCH',
    path: '/v1/settings/policies',
    scope: 'settings:manage',
    returns: 'All settings as they are now.',
  },
  changeHolderPage: {
    method: 'PATCH',
    path: '/v1/settings/holder_page',
    scope: 'settings:manage',
    returns: 'All settings as they are now.',
  },
  changeRequestLog: {
    method: 'PUT',
    path: '/v1/settings/request_log',
    scope: 'settings:manage',
    returns: 'All settings as they are now.',
  },
  changeTrustPolicy: {
    method: 'PUT',
    path: '/v1/settings/trust_policy',
    scope: 'trust:manage',
    returns: 'All settings as they are now.',
  },
  changeIdentity: {
    method: 'PUT',
    path: '/v1/settings/identity',
    scope: 'trust:manage',
    returns: 'All settings as they are now.',
  },
  changeEcosystemIdentity: {
    method: 'PUT',
    path: '/v1/settings/identities/{ecosystem}',
    scope: 'trust:manage',
    returns: 'All settings as they are now.',
  },
  listServiceAnchors: {
    method: 'GET',
    path: '/v1/trust_anchors',
    scope: 'config:read',
    returns: 'The certificates that the service trusts. The tenant’s own are in its settings.',
  },
  addAnchors: {
    method: 'POST',
    path: '/v1/trust_anchors',
    scope: 'trust:manage',
    returns: 'All settings as they are now.',
  },
  removeAnchor: {
    method: 'DELETE',
    path: '/v1/trust_anchors/{fingerprint}',
    scope: 'trust:manage',
    returns: 'All settings as they are now.',
  },
  listRegistrations: {
    method: 'GET',
    path: '/v1/registrations',
    scope: 'config:read',
    returns: 'The registrations, the default first.',
  },
  addRegistration: {
    method: 'POST',
    path: '/v1/registrations',
    scope: 'trust:manage',
    returns: 'The registration with what its check found.',
  },
  getRegistration: {
    method: 'GET',
    path: '/v1/registrations/{id}',
    scope: 'config:read',
    returns: 'The registration with what its last check found.',
  },
  changeRegistration: {
    method: 'PATCH',
    path: '/v1/registrations/{id}',
    scope: 'trust:manage',
    returns: 'The changed registration.',
  },
  checkRegistration: {
    method: 'POST',
    path: '/v1/registrations/{id}/check',
    scope: 'trust:manage',
    returns: 'The registration with what the check found.',
  },
  removeRegistration: {
    method: 'DELETE',
    path: '/v1/registrations/{id}',
    scope: 'trust:manage',
    returns: 'The registrations that are left.',
  },
  changeRegistrationSettings: {
    method: 'PATCH',
    path: '/v1/registrations/settings',
    scope: 'trust:manage',
    returns: 'The registrations and the settings as they are now.',
  },
  listOpenIdClients: {
    method: 'GET',
    path: '/v1/openid_clients',
    scope: 'config:read',
    returns: 'All OpenID clients of the environment.',
  },
  createOpenIdClient: {
    method: 'POST',
    path: '/v1/openid_clients',
    scope: 'openid_clients:manage',
    returns: 'The client and its secret.',
  },
  changeOpenIdClient: {
    method: 'PATCH',
    path: '/v1/openid_clients/{id}',
    scope: 'openid_clients:manage',
    returns: 'The changed client.',
  },
  rollOpenIdClientSecret: {
    method: 'POST',
    path: '/v1/openid_clients/{id}/roll_secret',
    scope: 'openid_clients:manage',
    returns: 'The client and its new secret.',
  },
  deleteOpenIdClient: {
    method: 'DELETE',
    path: '/v1/openid_clients/{id}',
    scope: 'openid_clients:manage',
    returns: 'The client is gone.',
  },
  listLinks: {
    method: 'GET',
    path: '/v1/verification_links',
    scope: 'links:manage',
    returns: 'Verification links of the environment, newest first.',
  },
  createLink: {
    method: 'POST',
    path: '/v1/verification_links',
    scope: 'links:manage',
    returns: 'The link. Its `url` is what you hand out.',
  },
  getLink: {
    method: 'GET',
    path: '/v1/verification_links/{id}',
    scope: 'links:manage',
    returns: 'The link as it is now.',
  },
  changeLink: {
    method: 'PATCH',
    path: '/v1/verification_links/{id}',
    scope: 'links:manage',
    returns: 'The changed link.',
  },
  deleteLink: {
    method: 'DELETE',
    path: '/v1/verification_links/{id}',
    scope: 'links:manage',
    returns: 'The link is gone. Verifications that it created stay.',
  },
  listSealingKeys: {
    method: 'GET',
    path: '/v1/sealing_keys',
    scope: 'sealing:manage',
    returns: 'The keys of the environment, oldest first.',
  },
  registerSealingKey: {
    method: 'POST',
    path: '/v1/sealing_keys',
    scope: 'sealing:manage',
    returns: 'The key, which seals nothing yet, and a challenge that only its private key opens.',
  },
  activateSealingKey: {
    method: 'POST',
    path: '/v1/sealing_keys/{kid}/activate',
    scope: 'sealing:manage',
    returns: 'The active key. From now on claims are sealed to it.',
  },
  retireSealingKey: {
    method: 'DELETE',
    path: '/v1/sealing_keys/{kid}',
    scope: 'sealing:manage',
    returns: 'The keys that are left.',
  },
  listErasureRequests: {
    method: 'GET',
    path: '/v1/erasure_requests',
    scope: 'verifications:read',
    returns: 'The requests of the environment. Erase the verification of one to agree.',
  },
  refuseErasureRequest: {
    method: 'POST',
    path: '/v1/erasure_requests/{id}/refuse',
    scope: 'verifications:delete',
    returns: 'The request is refused, and the verification stays.',
  },
  getReceipt: {
    method: 'GET',
    path: '/v1/verifications/{id}/receipt',
    scope: 'audit:read',
    returns: 'The receipt, with the proof that the signed audit log has it.',
  },
  listReceipts: {
    method: 'GET',
    path: '/v1/receipts',
    scope: 'audit:read',
    returns: 'Receipts in the order of the ids.',
  },
  getReport: {
    method: 'GET',
    path: '/v1/report',
    scope: 'audit:read',
    returns: 'The report.',
  },
  listKeys: {
    method: 'GET',
    path: '/v1/api_keys',
    scope: 'config:read',
    returns: 'All keys of the environment, without their secrets.',
  },
  createKey: {
    method: 'POST',
    path: '/v1/api_keys',
    scope: 'keys:manage',
    returns: 'The key. It has scopes of the key that created it, and ends no later.',
  },
  revokeKey: {
    method: 'DELETE',
    path: '/v1/api_keys/{id}',
    scope: 'keys:manage',
    returns: 'The revoked key.',
  },
  listTeam: {
    method: 'GET',
    path: '/v1/members',
    scope: 'members:read',
    returns: 'Members and open invitations. People are invited by people, in the dashboard.',
  },
  getAlertWebhook: {
    method: 'GET',
    path: '/v1/settings/alert_webhook',
    scope: 'config:read',
    returns: 'Where alerts are sent.',
  },
  setAlertWebhook: {
    method: 'PUT',
    path: '/v1/settings/alert_webhook',
    scope: 'settings:manage',
    returns: 'Where alerts are sent, and the secret that signs them if it is new.',
  },
  removeAlertWebhook: {
    method: 'DELETE',
    path: '/v1/settings/alert_webhook',
    scope: 'settings:manage',
    returns: 'Alerts are sent nowhere.',
  },
  listDeliveries: {
    method: 'GET',
    path: '/v1/deliveries',
    scope: 'webhooks:manage',
    returns: 'Attempts to deliver webhooks, newest first.',
  },
  resendWebhook: {
    method: 'POST',
    path: '/v1/deliveries/{id}/resend',
    scope: 'webhooks:manage',
    returns: 'The event is sent again at once.',
  },
  resendFailed: {
    method: 'POST',
    path: '/v1/deliveries/resend',
    scope: 'webhooks:manage',
    returns: 'The request, which is worked off in the background.',
  },
  getResend: {
    method: 'GET',
    path: '/v1/deliveries/resend',
    scope: 'webhooks:manage',
    returns: 'The latest request to resend, with its progress.',
  },
  listRequests: {
    method: 'GET',
    path: '/v1/requests',
    scope: 'requests:read',
    returns: 'Requests of your keys and devices, newest first.',
  },
  listAudit: {
    method: 'GET',
    path: '/v1/audit',
    scope: 'audit:read',
    returns: 'Audit entries, newest first.',
  },
  exportAudit: {
    method: 'GET',
    path: '/v1/audit/export',
    scope: 'audit:read',
    returns: 'The whole chain with its seals, one JSON text on each line.',
  },
  getAuditKey: {
    method: 'GET',
    path: '/v1/audit/public_key',
    scope: 'audit:read',
    returns: 'The key that signs checkpoints.',
  },
} as const satisfies Partial<Record<DashboardOperation, KeyAccess>>

export type ManagementOperation = keyof typeof keyAccess

/** A dashboard route that API keys reach too. */
export type ManagedRoute = (typeof dashboardRoutes)[ManagementOperation]

type ManagementRoutes = {
  [Name in ManagementOperation]: PublishedRoute & (typeof keyAccess)[Name]
}

/** The published routes of what is managed by API keys. */
export const managementRoutes = Object.fromEntries(
  // `Object.entries` knows no names.
  (Object.keys(keyAccess) as ManagementOperation[]).map((name) => [name, publish(name)]),
) as ManagementRoutes

/** The published route of a dashboard route, if it has one. */
export function findManagementRoute(route: DashboardRoute): PublishedRoute | undefined {
  return byDashboardRoute.get(`${route.method} ${route.path}`)
}

const byDashboardRoute = new Map(
  (Object.keys(keyAccess) as ManagementOperation[]).map((name) => {
    const { method, path } = dashboardRoutes[name]
    return [`${method} ${path}`, managementRoutes[name]]
  }),
)

function publish(name: ManagementOperation): PublishedRoute {
  const { method, path, scope, returns }: KeyAccess = keyAccess[name]
  const { summary, params, not_found, query, json, success, refusals }: DashboardRoute = dashboardRoutes[name]
  const { status, body, media } = success
  if (status === 303) throw new Error(`${name} is a redirect.`)
  return {
    method,
    path,
    summary,
    scope,
    ...withoutEnvironment(params),
    ...(not_found !== undefined && { not_found }),
    ...(query !== undefined && { query }),
    ...(json !== undefined && { json }),
    success: { status, body, description: returns, ...(media !== undefined && { media }) },
    ...(refusals !== undefined && { refusals }),
  }
}

/** A key's environment is its own. */
function withoutEnvironment(params: DashboardRoute['params']): Pick<PublishedRoute, 'params'> {
  if (params === undefined) return {}
  const { environment: _, ...others } = params.shape
  return Object.keys(others).length > 0 ? { params: z.object(others) } : {}
}
