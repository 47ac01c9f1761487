export { configRoutes } from './config/routes.ts'
export { overviewRoutes } from './dashboard-routes.ts'
export { operatorSupportRoutes } from './support/operator-routes.ts'
export { requestLogRoutes } from './request-log/dashboard-routes.ts'
