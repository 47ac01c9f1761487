import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { keyDashboardRoutes } from '../accounts/api-keys/dashboard-routes.ts'
import { keyAuthenticator } from '../accounts/api-keys/authenticate.ts'
import { recordKeyUse } from '../accounts/api-keys/record-use.ts'
import { alertDashboardRoutes } from '../deliveries/notifications/dashboard-routes.ts'
import { auditDashboardRoutes } from '../audit/dashboard-routes.ts'
import type { Context } from '../context.ts'
import { overviewRoutes } from '../dashboard/dashboard-routes.ts'
import { authenticateDevice } from '../devices/tokens/authenticate.ts'
import { deviceDashboardRoutes } from '../devices/dashboard-routes.ts'
import { recordDeviceUse } from '../devices/record-use.ts'
import { deviceRoutes } from '../devices/routes.ts'
import { sessionAuthenticator } from '../accounts/members/sessions/authenticate.ts'
import { memberRoutes } from '../accounts/members/dashboard-routes.ts'
import { openidRoutes } from '../holder/openid-provider/routes.ts'
import { pendingMigrations } from '../engine/db/schema/migrate.ts'
import { requireWritableWithSpace } from '../engine/db/connection/require-writable.ts'
import { mountDocs } from '../engine/http/static/docs-routes.ts'
import type { HttpContext } from '../engine/http/http-context.ts'
import type { Endpoint } from '../engine/http/endpoint.ts'
import { mountFrontEnd } from '../engine/http/static/front-end-routes.ts'
import { mountGuides } from '../engine/http/static/guide-routes.ts'
import { mountHome } from '../engine/http/static/home-routes.ts'
import { mountHealth } from '../engine/http/health-routes.ts'
import { mount, mountDashboard } from '../engine/http/mount.ts'
import { openScheduler } from '../engine/scheduling/scheduler.ts'
import { openServer } from '../engine/http/server/server.ts'
import { clientDashboardRoutes } from '../holder/openid-provider/dashboard-routes.ts'
import { registrationDashboardRoutes } from '../trust/registrations/dashboard-routes.ts'
import { requestLogRoutes } from '../dashboard/request-log/dashboard-routes.ts'
import { openRequestRecorder } from '../dashboard/request-log/record.ts'
import { fetchFromSelf, sandboxRoutes } from '../holder/sandbox/routes.ts'
import { templateDashboardRoutes } from '../templates/dashboard-routes.ts'
import { templateRoutes } from '../templates/routes.ts'
import { usageDashboardRoutes } from '../accounts/usage/dashboard-routes.ts'
import { usageRoutes } from '../accounts/usage/routes.ts'
import { verificationDashboardRoutes } from '../verifications/dashboard-routes.ts'
import { verificationRoutes } from '../verifications/routes.ts'
import { readForWebhooks } from '../verifications/read/read-for-webhooks.ts'
import { walletRoutes } from '../verifications/wallet-routes.ts'
import { mountVerifyPage } from '../holder/page/routes.ts'
import { mountListen } from '../deliveries/webhooks/listen/routes.ts'
import { webhookDashboardRoutes } from '../deliveries/webhooks/dashboard-routes.ts'
import { webhookRoutes } from '../deliveries/webhooks/routes.ts'

export type App = FastifyInstance & {
  /** From now on every response closes its connection, and `/readyz` returns 503. */
  beginDraining(): void
}

/** The whole HTTP service: the endpoints of every module. Tests add endpoints of their own. */
export function buildApp(ctx: Context, extraEndpoints: readonly Endpoint[] = []): App {
  const keyUse = recordKeyUse(ctx)
  const deviceUse = recordDeviceUse(ctx)
  const authenticateKey = keyAuthenticator(ctx)
  const requests = openRequestRecorder(ctx)
  let draining = false
  const httpContext: HttpContext = {
    ...ctx,
    scheduler: openScheduler(),
    draining: () => draining,
    recordApiRequest: requests && ((request) => requests.record(request)),
    findSession: sessionAuthenticator(ctx),
    async authenticate(token, tokenHash) {
      if (token?.startsWith('vd_') === true) {
        const device = await authenticateDevice(ctx, token)
        deviceUse.note({ id: device.device_id })
        return device
      }
      const principal = await authenticateKey(token, tokenHash)
      keyUse.note({ tenant_id: principal.tenant_id, id: principal.key_id })
      return principal
    },
  }
  const app = openServer(httpContext)
  const endpoints = [
    ...verificationRoutes(ctx),
    ...walletRoutes(ctx),
    ...deviceRoutes(ctx),
    ...webhookRoutes(ctx),
    ...templateRoutes(ctx),
    ...usageRoutes(ctx),
    ...openidRoutes(ctx, frontEndFolder('verify')),
    ...extraEndpoints,
  ]
  if (ctx.config.SANDBOX === 'on') endpoints.push(...sandboxRoutes(ctx, fetchFromSelf(ctx, app)))
  for (const endpoint of endpoints) mount(app, httpContext, endpoint)
  mountVerifyPage(app, httpContext, ctx, {
    page: frontEndFolder('verify'),
    component: fileURLToPath(new URL('../../../../packages/component/dist', import.meta.url)),
  })
  mountListen(app, httpContext, ctx, (db, events) => readForWebhooks(ctx, db, events))
  const dashboardEndpoints = [
    ...memberRoutes(ctx),
    ...overviewRoutes(ctx, httpContext),
    ...keyDashboardRoutes(ctx),
    ...clientDashboardRoutes(ctx),
    ...webhookDashboardRoutes(ctx),
    ...deviceDashboardRoutes(ctx),
    ...verificationDashboardRoutes(ctx),
    ...templateDashboardRoutes(ctx),
    ...registrationDashboardRoutes(ctx),
    ...usageDashboardRoutes(ctx),
    ...auditDashboardRoutes(ctx),
    ...alertDashboardRoutes(ctx),
    ...requestLogRoutes(ctx),
  ]
  for (const endpoint of dashboardEndpoints) mountDashboard(app, httpContext, endpoint)
  mountHome(app, { dashboard: frontEndFolder('dashboard') })
  mountDocs(app)
  mountGuides(app, frontEndFolder('guides'))
  mountFrontEnd(app, { path: '/dashboard', folder: frontEndFolder('dashboard') })
  mountFrontEnd(app, { path: '/till', folder: frontEndFolder('till') })
  mountHealth(app, {
    limiter: ctx.limiter,
    draining: () => draining,
    canSign: () => ctx.signingToken?.problem() === undefined,
    async pendingMigrations() {
      await requireWritableWithSpace(ctx.db)
      return pendingMigrations(ctx.db)
    },
  })
  app.addHook('onClose', async () => {
    keyUse[Symbol.dispose]()
    deviceUse[Symbol.dispose]()
    requests?.[Symbol.dispose]()
    const written = await Promise.allSettled([keyUse.flush(), deviceUse.flush(), requests?.flush()])
    // Best effort, as during operation: a database that is away must not make a stop fail.
    const failed = written.find((each) => each.status === 'rejected')
    if (failed !== undefined)
      ctx.log.warn({ err: failed.reason }, 'could not write the last uses of keys and the last requests')
  })
  return Object.assign(app, {
    beginDraining: () => void (draining = true),
  })
}

/** Where the build writes a front end; the container image has it in the same place. */
export function frontEndFolder(name: string): string {
  return fileURLToPath(new URL(`../../../${name}/dist`, import.meta.url))
}
