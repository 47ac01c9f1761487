export { auditDashboardRoutes } from './dashboard-routes.ts'
