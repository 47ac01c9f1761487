export { templateDashboardRoutes } from './dashboard-routes.ts'
export { templateRoutes } from './routes.ts'
