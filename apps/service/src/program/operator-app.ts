import { operatorAccountRoutes, operatorSignUpRoutes } from '../accounts/http.ts'
import { findOperatorCaller } from '../accounts/index.ts'
import { frontEndFolder } from './app.ts'
import type { ServiceContext } from './context.ts'
import { operatorSupportRoutes } from '../dashboard/http.ts'
import {
  type OperatorEndpoint,
  type OperatorHttpContext,
  mountFrontEnd,
  mountOperator,
  mountPageFiles,
  openServer,
  plainStylePath,
} from '../engine/http/index.ts'
import { operatorInstallationRoutes, operatorTenantRoutes } from '../operations/http.ts'
import { openScheduler } from '../engine/scheduling/index.ts'

/** The HTTP service for operators. It shares no route with that for everybody else, and listens apart from it. */
export function buildOperatorApp(ctx: ServiceContext) {
  let draining = false
  const httpContext: OperatorHttpContext = {
    ...ctx,
    config: { ...ctx.config, BASE_URL: ctx.config.OPERATOR_URL },
    scheduler: openScheduler(),
    draining: () => draining,
    findOperator: (credential) => findOperatorCaller(ctx, credential),
  }
  const app = openServer(httpContext)
  for (const endpoint of operatorEndpoints(ctx)) mountOperator(app, httpContext, endpoint)
  mountPageFiles(app, plainStylePath)
  mountFrontEnd(app, { path: '/console', folder: frontEndFolder('dashboard/console'), home: true })
  return Object.assign(app, { beginDraining: () => void (draining = true) })
}

function operatorEndpoints(ctx: ServiceContext): OperatorEndpoint[] {
  return [
    ...operatorAccountRoutes(ctx),
    ...operatorTenantRoutes(ctx),
    ...operatorSignUpRoutes(ctx),
    ...operatorSupportRoutes(ctx),
    ...operatorInstallationRoutes(ctx),
  ]
}
