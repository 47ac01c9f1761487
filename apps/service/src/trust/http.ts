export { registrationDashboardRoutes } from './registrations/dashboard-routes.ts'
