import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  type RouteComponent,
} from '@tanstack/react-router'
import { operatorMay } from '@vidimus/contract/operator-roles'
import { ApiError } from '../api/error.ts'
import { queryClient } from '../api/operation-hooks.ts'
import { ErrorPage, NotFoundPage, PageSkeleton } from '../shell/fallbacks.tsx'
import { readTexts } from '../ui/read-texts.ts'
import { operationQuery } from './api.ts'
import { ConsoleShell } from './shell/console-shell.tsx'

const basepath = '/console'

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: () => <NotFoundPage home={`${basepath}/`} />,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>) => readTexts(search, ['return_to', 'error']),
  component: lazyRouteComponent(() => import('./sign-in/sign-in.tsx'), 'SignIn'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./sign-in/invitation.tsx'), 'AcceptInvitation'),
})

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ location }) => {
    try {
      return { me: await queryClient.ensureQueryData(operationQuery('getMe', {})) }
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      throw redirect({ to: '/sign-in', search: { return_to: `${basepath}${location.href}` } })
    }
  },
  component: ConsoleShell,
  errorComponent: ErrorPage,
})

/** The first page that the operator's role may read. */
const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad: ({ context }) => {
    const { role } = context.me.operator
    throw redirect({ to: operatorMay(role, 'read_tenants') ? '/tenants' : '/usage', replace: true })
  },
})

/** A page inside the shell. */
function page<Path extends string>(path: Path, component: RouteComponent) {
  return createRoute({ getParentRoute: () => shell, path, component, pendingComponent: PageSkeleton })
}

const tenants = createRoute({
  getParentRoute: () => shell,
  path: '/tenants',
  validateSearch: (search: Record<string, unknown>) => readTexts(search, ['q', 'state']),
  component: lazyRouteComponent(() => import('./tenants/tenants.tsx'), 'Tenants'),
})

const usage = createRoute({
  getParentRoute: () => shell,
  path: '/usage',
  validateSearch: (search: Record<string, unknown>) => readTexts(search, ['month', 'environment']),
  component: lazyRouteComponent(() => import('./usage/usage.tsx'), 'Usage'),
})

const log = createRoute({
  getParentRoute: () => shell,
  path: '/log',
  validateSearch: (search: Record<string, unknown>) => readTexts(search, ['action', 'from', 'to']),
  component: lazyRouteComponent(() => import('./log/log.tsx'), 'Log'),
})

const support = createRoute({
  getParentRoute: () => shell,
  path: '/tenants/$id/support',
  validateSearch: (search: Record<string, unknown>) => readTexts(search, ['environment', 'view']),
  component: lazyRouteComponent(() => import('./support/support.tsx'), 'SupportPage'),
})

const pages = [
  home,
  support,
  tenants,
  usage,
  log,
  page(
    '/tenants/$id',
    lazyRouteComponent(() => import('./tenants/tenant.tsx'), 'TenantPage'),
  ),
  page(
    '/verifications/$id',
    lazyRouteComponent(() => import('./search/verification.tsx'), 'VerificationPage'),
  ),
  page(
    '/sign-ups',
    lazyRouteComponent(() => import('./sign-ups/sign-ups.tsx'), 'SignUps'),
  ),
  page(
    '/plans',
    lazyRouteComponent(() => import('./plans/plans.tsx'), 'Plans'),
  ),
  page(
    '/health',
    lazyRouteComponent(() => import('./health/health.tsx'), 'HealthPage'),
  ),
  page(
    '/operators',
    lazyRouteComponent(() => import('./operators/operators.tsx'), 'Operators'),
  ),
  page(
    '/tokens',
    lazyRouteComponent(() => import('./tokens/tokens.tsx'), 'Tokens'),
  ),
  page(
    '/account',
    lazyRouteComponent(() => import('./account/account.tsx'), 'Account'),
  ),
] as const

export const router = createRouter({
  routeTree: root.addChildren([signIn, invitation, shell.addChildren(pages)]),
  basepath,
  defaultPreload: 'intent',
  defaultPendingComponent: PageSkeleton,
  defaultPendingMs: 150,
  defaultErrorComponent: ErrorPage,
  scrollRestoration: true,
})

/** Leads to the sign-in, and back to this page. */
export function signInAgain(): void {
  const { pathname, href } = router.state.location
  if (pathname === '/sign-in' || pathname === '/invitation') return
  const search = new URLSearchParams({ return_to: `${basepath}${href}` })
  globalThis.location.assign(`${basepath}/sign-in?${search.toString()}`)
}
