export { operatorInstallationRoutes } from './installation-routes.ts'
export { operatorTenantRoutes } from './operator-routes.ts'
