import { accountRoutes } from './account-routes.ts'
import { alertRoutes } from './alert-routes.ts'
import { administrationRoutes } from './administration-routes.ts'
import { erasureRequestRoutes } from './erasure-requests.ts'
import { findingRoutes } from './finding-routes.ts'
import { integrationRoutes } from './integration-routes.ts'
import { openIdClientRoutes } from './openid-client-routes.ts'
import { linkRoutes } from './link-routes.ts'
import type { DashboardOperation } from './paths.ts'
import { registrationRoutes } from './registration-routes.ts'
import type { DashboardRoute } from './route.ts'
import { sealingRoutes } from './sealing-routes.ts'
import { verificationRoutes } from './verification-routes.ts'
import { webhookRoutes } from './webhook-routes.ts'

/** The dashboard's API. The service mounts its routes from this table, and the role matrix is generated from it. */
export const dashboardRoutes = {
  ...accountRoutes,
  ...integrationRoutes,
  ...openIdClientRoutes,
  ...linkRoutes,
  ...sealingRoutes,
  ...webhookRoutes,
  ...verificationRoutes,
  ...erasureRequestRoutes,
  ...administrationRoutes,
  ...alertRoutes,
  ...findingRoutes,
  ...registrationRoutes,
} satisfies Record<DashboardOperation, DashboardRoute>
