import { z } from 'zod'
import {
  ChangeOpenIdClient,
  CreatedOpenIdClient,
  OpenIdClient,
  OpenIdClientId,
  OpenIdClientInput,
  OpenIdClientList,
  RollClientSecret,
} from './openid-clients.ts'
import { dashboardPaths as at } from './paths.ts'
import type { DashboardRoute } from './route.ts'
import { EmptyResponse, EnvironmentName } from './values.ts'

const environmentParams = z.object({ environment: EnvironmentName })
const clientParams = z.object({ environment: EnvironmentName, id: OpenIdClientId })

/** Sites that ask through OpenID Connect. A member who may create an API key may create a client: both ask for claims and get them. */
export const openIdClientRoutes = {
  listOpenIdClients: {
    ...at.listOpenIdClients,
    summary: 'List OpenID clients, newest first',
    may: 'read',
    params: environmentParams,
    success: { status: 200, body: OpenIdClientList },
  },
  createOpenIdClient: {
    ...at.createOpenIdClient,
    summary: 'Create an OpenID client; its secret is shown only once',
    may: 'manage_keys',
    confirmed: true,
    params: environmentParams,
    json: OpenIdClientInput,
    success: { status: 201, body: CreatedOpenIdClient },
    refusals: ['role_not_allowed', 'sealing_conflict', 'too_many', 'unknown_template'],
  },
  changeOpenIdClient: {
    ...at.changeOpenIdClient,
    summary: 'Change an OpenID client; absent members stay unchanged',
    may: 'manage_keys',
    confirmed: true,
    params: clientParams,
    not_found: 'openid_client_not_found',
    json: ChangeOpenIdClient,
    success: { status: 200, body: OpenIdClient },
    refusals: ['openid_client_changed', 'role_not_allowed', 'unknown_template'],
  },
  rollOpenIdClientSecret: {
    ...at.rollOpenIdClientSecret,
    summary:
      'Give an OpenID client a new secret, shown only once; the one before works until the overlap ends',
    may: 'manage_keys',
    confirmed: true,
    params: clientParams,
    not_found: 'openid_client_not_found',
    json: RollClientSecret,
    success: { status: 201, body: CreatedOpenIdClient },
    refusals: ['openid_client_changed', 'role_not_allowed', 'too_many'],
  },
  deleteOpenIdClient: {
    ...at.deleteOpenIdClient,
    summary: 'Delete an OpenID client with its secrets',
    may: 'manage_keys',
    confirmed: false,
    params: clientParams,
    not_found: 'openid_client_not_found',
    success: { status: 200, body: EmptyResponse },
    refusals: ['role_not_allowed'],
  },
} satisfies Record<string, DashboardRoute>
