import { operatorAccountRoutes } from './account-routes.ts'
import { operatorInstallationRoutes } from './installation-routes.ts'
import type { OperatorOperation } from './paths.ts'
import type { OperatorRoute } from './route.ts'
import { operatorSignUpRoutes } from './sign-up-routes.ts'
import { operatorSupportRoutes } from './support-routes.ts'
import { operatorTenantRoutes } from './tenant-routes.ts'

/** The operators' API, on a listener of its own. The service mounts its routes from this table, and the role matrix is generated from it. */
export const operatorRoutes = {
  ...operatorAccountRoutes,
  ...operatorTenantRoutes,
  ...operatorSignUpRoutes,
  ...operatorSupportRoutes,
  ...operatorInstallationRoutes,
} satisfies Record<OperatorOperation, OperatorRoute>
