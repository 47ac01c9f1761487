export { alertDashboardRoutes } from './notifications/dashboard-routes.ts'
export { webhookDashboardRoutes } from './webhooks/dashboard-routes.ts'
export { mountListen } from './webhooks/listen/routes.ts'
export { webhookRoutes } from './webhooks/routes.ts'
