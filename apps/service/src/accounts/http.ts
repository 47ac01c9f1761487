export { keyDashboardRoutes } from './api-keys/dashboard-routes.ts'
export { memberRoutes } from './members/dashboard-routes.ts'
export { usageDashboardRoutes } from './usage/dashboard-routes.ts'
export { usageRoutes } from './usage/routes.ts'
