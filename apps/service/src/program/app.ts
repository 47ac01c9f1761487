import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import {
  keyDashboardRoutes,
  memberRoutes,
  sealingDashboardRoutes,
  usageDashboardRoutes,
  usageRoutes,
} from '../accounts/http.ts'
import { keyAuthenticator, recordKeyUse, sessionAuthenticator } from '../accounts/index.ts'
import {
  alertDashboardRoutes,
  mountListen,
  webhookDashboardRoutes,
  webhookRoutes,
} from '../deliveries/http.ts'
import { auditDashboardRoutes } from '../audit/http.ts'
import type { ServiceContext } from './context.ts'
import { configRoutes, overviewRoutes, requestLogRoutes } from '../dashboard/http.ts'
import { authenticateDevice, recordDeviceUse } from '../devices/index.ts'
import { deviceDashboardRoutes, deviceRoutes } from '../devices/http.ts'
import {
  clientDashboardRoutes,
  erasureRoutes,
  fetchFromSelf,
  linkDashboardRoutes,
  linkRoutes,
  mountVerifyPage,
  oldCodePage,
  openidRoutes,
  sandboxRoutes,
} from '../holder/http.ts'
import { pendingMigrations, requireWritableWithSpace } from '../engine/db/index.ts'
import {
  type Endpoint,
  type HttpContext,
  mount,
  mountDashboard,
  mountDocs,
  mountFrontEnd,
  mountGuides,
  mountHealth,
  mountHome,
  mountReceiptCheck,
  openServer,
} from '../engine/http/index.ts'
import { openScheduler } from '../engine/scheduling/index.ts'
import { registrationDashboardRoutes } from '../trust/http.ts'
import { openRequestRecorder } from '../dashboard/index.ts'
import { templateDashboardRoutes, templateRoutes } from '../templates/http.ts'
import { verificationDashboardRoutes, verificationRoutes, walletRoutes } from '../verifications/http.ts'
import { readForWebhooks } from '../verifications/index.ts'

export type App = FastifyInstance & {
  /** From now on every response closes its connection, and `/readyz` returns 503. */
  beginDraining(): void
  /** Why it is not ready, as `/readyz` says. */
  readiness(): Promise<string | undefined>
}

/** The whole HTTP service: the endpoints of every module. Tests add endpoints of their own. */
export function buildApp(ctx: ServiceContext, extraEndpoints: readonly Endpoint[] = []): App {
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
    ...walletRoutes(ctx, { oldCodePage: oldCodePage(frontEndFolder('verify')) }),
    ...deviceRoutes(ctx),
    ...webhookRoutes(ctx),
    ...templateRoutes(ctx),
    ...usageRoutes(ctx),
    ...configRoutes(ctx),
    ...openidRoutes(ctx, frontEndFolder('verify')),
    ...linkRoutes(ctx, frontEndFolder('verify')),
    ...erasureRoutes(ctx, frontEndFolder('verify')),
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
    ...linkDashboardRoutes(ctx),
    ...sealingDashboardRoutes(ctx),
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
  mountReceiptCheck(app, frontEndFolder('verify'))
  mountGuides(app, frontEndFolder('guides'))
  mountFrontEnd(app, { path: '/dashboard', folder: frontEndFolder('dashboard') })
  mountFrontEnd(app, { path: '/till', folder: frontEndFolder('till') })
  const readiness = mountHealth(app, {
    limiter: ctx.limiter,
    draining: () => draining,
    canSign: () => ctx.signingHsm?.problem() === undefined,
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
    // Best effort, as during operation: an unavailable database must not make the shutdown fail.
    const failed = written.find((each) => each.status === 'rejected')
    if (failed !== undefined)
      ctx.log.warn({ err: failed.reason }, 'could not write the last uses of keys and the last requests')
  })
  return Object.assign(app, {
    beginDraining: () => void (draining = true),
    readiness,
  })
}

/** Where the build writes a front end; the container image has it in the same place. */
export function frontEndFolder(name: string): string {
  return fileURLToPath(new URL(`../../../${name}/dist`, import.meta.url))
}
