import { dashboardRoutes, type DashboardOperation, type DashboardRoute } from '@vidimus/contract'

export type NamedRoute = [DashboardOperation, DashboardRoute]

/** The dashboard's routes from the contract. Each belongs to one of the groups below. */
const all = Object.entries<DashboardRoute>(dashboardRoutes) as NamedRoute[] // Object.entries loses the key type

/** `{environment}` and `{ecosystem}` are not ids of anyone's, and `putTemplate` creates a template if there is none. */
function namesSomething([operation, { path }]: NamedRoute): boolean {
  return /\{(?!(?:environment|ecosystem)\})/.test(path) && operation !== 'putTemplate'
}

export const routesWithIds = all.filter(namesSomething)
const withoutIds = all.filter((each) => !namesSomething(each))

/** Routes that only read. What needs a confirmation is also audited. */
export const readRoutes = withoutIds.filter(
  ([, { method, stream, confirmed, cross_site: from_elsewhere }]) =>
    method === 'GET' && stream !== true && confirmed !== true && from_elsewhere !== true,
)

/** All other routes: each has its own trial. */
export const otherRoutes = withoutIds.filter((each) => !readRoutes.includes(each))

/** What a route that only reads has to be asked for. A refused search would be a new entry of the request log. */
export function readQuery(operation: DashboardOperation): Record<string, string> | undefined {
  const today = new Date().toISOString().slice(0, 10)
  if (operation === 'search') return { text: 'age_over' }
  if (operation === 'listReceipts') return { day: today }
  return operation === 'getReport' ? { from: today, to: today } : undefined
}
