import { FilterRequests, RequestPage } from '../dashboard/requests.ts'
import { SupportState } from '../dashboard/support.ts'
import { operatorPaths as at } from './paths.ts'
import type { OperatorRoute } from './route.ts'
import {
  FilterSupportDeliveries,
  FilterSupportVerifications,
  OfEnvironment,
  OfTenant,
  OfVerification,
  SupportConfig,
  SupportDeliveryPage,
  SupportVerificationDetail,
  SupportVerificationPage,
  TakeSupportAccess,
} from './support.ts'

const ofTenant = { params: OfTenant, not_found: 'not_found' } as const
const ofEnvironment = { params: OfEnvironment, not_found: 'not_found' } as const
/** Without access: 403, with a message that says who can give it. */
const needsAccess = ['role_not_allowed'] as const

/** What operators see of a tenant while it lets them. They change nothing, and see neither claims nor secrets. */
export const operatorSupportRoutes = {
  getSupportAccess: {
    ...at.getSupportAccess,
    summary: 'Get whether operators may look at a tenant, who let them, and until when',
    may: 'support_tenants',
    confirmed: false,
    ...ofTenant,
    success: { status: 200, body: SupportState },
  },
  takeSupportAccess: {
    ...at.takeSupportAccess,
    summary: 'Take access for 24 hours with a reason that the tenant reads, where the installation allows it',
    may: 'support_tenants',
    confirmed: true,
    ...ofTenant,
    json: TakeSupportAccess,
    success: { status: 200, body: SupportState },
    refusals: needsAccess,
  },
  endSupportAccess: {
    ...at.endSupportAccess,
    summary: 'End the access, whoever gave it',
    may: 'support_tenants',
    confirmed: false,
    ...ofTenant,
    success: { status: 200, body: SupportState },
  },
  listSupportVerifications: {
    ...at.listSupportVerifications,
    summary: "List a tenant's verifications: status, code, times and template",
    may: 'support_tenants',
    confirmed: false,
    ...ofEnvironment,
    query: FilterSupportVerifications,
    success: { status: 200, body: SupportVerificationPage },
    refusals: needsAccess,
  },
  getSupportVerification: {
    ...at.getSupportVerification,
    summary: 'Get one verification by the id that somebody of the tenant gave, with its findings',
    may: 'support_tenants',
    confirmed: false,
    params: OfVerification,
    not_found: 'not_found',
    success: { status: 200, body: SupportVerificationDetail },
    refusals: [...needsAccess, 'session_not_found'],
  },
  listSupportDeliveries: {
    ...at.listSupportDeliveries,
    summary: "List the states of a tenant's webhook deliveries",
    may: 'support_tenants',
    confirmed: false,
    ...ofEnvironment,
    query: FilterSupportDeliveries,
    success: { status: 200, body: SupportDeliveryPage },
    refusals: needsAccess,
  },
  listSupportRequests: {
    ...at.listSupportRequests,
    summary: "List the requests of a tenant's keys and devices",
    may: 'support_tenants',
    confirmed: false,
    ...ofEnvironment,
    query: FilterRequests,
    success: { status: 200, body: RequestPage },
    refusals: needsAccess,
  },
  getSupportConfig: {
    ...at.getSupportConfig,
    summary: "Get a tenant's configuration, without secrets",
    may: 'support_tenants',
    confirmed: false,
    ...ofEnvironment,
    success: { status: 200, body: SupportConfig },
    refusals: needsAccess,
  },
} satisfies Record<string, OperatorRoute>
