export { deviceDashboardRoutes } from './dashboard-routes.ts'
export { deviceRoutes } from './routes.ts'
