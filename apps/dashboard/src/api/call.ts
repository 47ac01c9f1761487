import type { dashboardRoutes } from '@vidimus/contract'
import { dashboardPaths, type DashboardOperation } from '@vidimus/contract/dashboard-paths'
import { createClient, type Input, type Output } from './client.ts'
import { LocalError } from './error.ts'
import { signWithPasskey } from './passkey.ts'

export type DashboardApi = typeof dashboardRoutes
export type OperationOutput<Op extends DashboardOperation> = Output<DashboardApi[Op]>
export type OperationInput<Op extends DashboardOperation> = Input<DashboardApi[Op]>

export const dashboardClient = createClient<DashboardApi>(dashboardPaths)
export const { call, download, operationUrl } = dashboardClient

/** Asks for the member's passkey again. A member without one is sent to the identity provider and returns to this page. */
export async function confirmIdentity(): Promise<void> {
  const { options } = await call('startConfirmation', {})
  if (options !== undefined) {
    await call('confirmWithPasskey', { json: { response: await signWithPasskey(options) } })
    return
  }
  const { location: provider } = await call('startOidcSignIn', {
    json: { return_to: location.pathname, fresh: true },
  })
  location.assign(provider)
  throw new LocalError('confirming')
}
