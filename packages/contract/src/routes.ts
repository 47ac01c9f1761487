import { configRoutes } from './config.ts'
import { deviceRoutes } from './device-routes.ts'
import { managementRoutes } from './management.ts'
import { merchantRoutes } from './merchant-routes.ts'
import { walletRoutes } from './wallet-routes.ts'
import { webhookEndpointRoutes } from './webhook-endpoint-routes.ts'

/** The published API. The service mounts its routes from this table, and the OpenAPI document is generated from it. */
export const routes = {
  ...merchantRoutes,
  ...deviceRoutes,
  ...webhookEndpointRoutes,
  ...walletRoutes,
  ...configRoutes,
  ...managementRoutes,
}
