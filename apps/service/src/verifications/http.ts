export { verificationDashboardRoutes } from './dashboard-routes.ts'
export { verificationRoutes } from './routes.ts'
export { walletRoutes } from './wallet-routes.ts'
