import { dashboardRoutes, type DashboardOperation, type DashboardRoute } from '@vidimus/contract'

export type NamedRoute = [DashboardOperation, DashboardRoute]

/** The dashboard's routes as the contract has them; each belongs to one of the kinds below. */
const all = Object.entries<DashboardRoute>(dashboardRoutes) as NamedRoute[] // entries lose the names of the keys

/** `{environment}` names nothing of anybody's. What is put under a key is made when it is not there. */
function namesSomething([operation, { path }]: NamedRoute): boolean {
  return /\{(?!environment\})/.test(path) && operation !== 'putTemplate'
}

export const routesWithIds = all.filter(namesSomething)
const withoutIds = all.filter((each) => !namesSomething(each))

/** Those that tell a member, or anyone, what there is. */
export const readRoutes = withoutIds.filter(
  ([, { method, stream, cross_site: from_elsewhere }]) =>
    method === 'GET' && stream !== true && from_elsewhere !== true,
)

/** The others: each has a trial of its own. */
export const otherRoutes = withoutIds.filter((each) => !readRoutes.includes(each))
