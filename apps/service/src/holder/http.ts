export { clientDashboardRoutes } from './openid-provider/dashboard-routes.ts'
export { openidRoutes } from './openid-provider/routes.ts'
export { mountVerifyPage, oldCodePage } from './page/routes.ts'
export { fetchFromSelf, sandboxRoutes } from './sandbox/routes.ts'
