import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
  type RouteComponent,
} from '@tanstack/react-router'
import { ApiError } from './api/error.ts'
import { queryClient } from './api/operation-hooks.ts'
import { operationQuery } from './api/queries.ts'
import { isEnvironment, lastEnvironment } from './shell/environments.ts'
import { NotFoundPage, PageSkeleton, ErrorPage } from './shell/fallbacks.tsx'
import { Shell } from './shell/shell.tsx'
import { readTexts } from './ui/read-texts.ts'

const basepath = '/dashboard'

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: () => <NotFoundPage home={`${basepath}/`} />,
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/$environment', params: { environment: lastEnvironment() }, replace: true })
  },
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>) =>
    readTexts(search, ['return_to', 'error', 'other', 'elsewhere']),
  component: lazyRouteComponent(() => import('./sign-in/sign-in.tsx'), 'SignIn'),
})

const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  component: lazyRouteComponent(() => import('./sign-in/sign-up.tsx'), 'SignUp'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./sign-in/invitation.tsx'), 'AcceptInvitation'),
})

/**
 * The shell is a route without a path, above the environment. Were it part of `/$environment`, switching the environment would
 * replace its match, and while the new one loads React would hide the shell and drop the keyboard focus.
 */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.ensureQueryData(operationQuery('getMe', {}))
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      throw redirect({ to: '/sign-in', search: { return_to: `${basepath}${location.href}` } })
    }
  },
  component: Shell,
  errorComponent: ErrorPage,
})

const inEnvironment = createRoute({
  getParentRoute: () => shell,
  path: '/$environment',
  params: {
    parse: ({ environment }) => {
      if (!isEnvironment(environment)) throw notFound()
      return { environment }
    },
  },
  component: Outlet,
})

/** A page inside the shell. */
function page<Path extends string>(path: Path, component: RouteComponent) {
  return createRoute({ getParentRoute: () => inEnvironment, path, component, pendingComponent: PageSkeleton })
}

const audit = createRoute({
  getParentRoute: () => inEnvironment,
  path: '/audit',
  validateSearch: (search: Record<string, unknown>) =>
    readTexts(search, ['action', 'actor', 'subject', 'from', 'to']),
  component: lazyRouteComponent(() => import('./audit/audit.tsx'), 'Audit'),
  pendingComponent: PageSkeleton,
})

const webhookTabs = ['deliveries', 'endpoints', 'secret', 'debugger'] as const

const deliveryFilters = ['outcome', 'receiver', 'event_type', 'after', 'before', 'verification_id'] as const

const webhooks = createRoute({
  getParentRoute: () => inEnvironment,
  path: '/webhooks',
  validateSearch: (search: Record<string, unknown>) => {
    const tab = webhookTabs.find((each) => each === search['tab'])
    return { ...readTexts(search, deliveryFilters), ...(tab !== undefined && { tab }) }
  },
  component: lazyRouteComponent(() => import('./webhooks/webhooks.tsx'), 'Webhooks'),
})

/** Beside its endpoint, the filters of the list that it was opened from. */
const delivery = createRoute({
  getParentRoute: () => inEnvironment,
  path: '/webhooks/$id/$attempt',
  validateSearch: (search: Record<string, unknown>) => readTexts(search, [...deliveryFilters, 'endpoint_id']),
  component: lazyRouteComponent(() => import('./webhooks/delivery.tsx'), 'DeliveryDetail'),
})

const readVerificationFilters = (search: Record<string, unknown>) =>
  readTexts(search, ['status', 'template', 'error_code', 'device_id', 'metadata', 'from', 'to'])

const verifications = createRoute({
  getParentRoute: () => inEnvironment,
  path: '/verifications',
  validateSearch: readVerificationFilters,
  component: lazyRouteComponent(() => import('./verifications/verifications.tsx'), 'Verifications'),
})

/** Its filters are those of the list that it was opened from, to which it leads back. */
const verification = createRoute({
  getParentRoute: () => inEnvironment,
  path: '/verifications/$id',
  validateSearch: readVerificationFilters,
  component: lazyRouteComponent(() => import('./verifications/verification.tsx'), 'VerificationDetail'),
  pendingComponent: PageSkeleton,
})

const receipt = createRoute({
  getParentRoute: () => inEnvironment,
  path: '/verifications/$id/receipt',
  component: lazyRouteComponent(() => import('./verifications/receipt.tsx'), 'ReceiptPage'),
  pendingComponent: PageSkeleton,
})

const requests = createRoute({
  getParentRoute: () => inEnvironment,
  path: '/requests',
  validateSearch: (search: Record<string, unknown>) =>
    readTexts(search, [
      'status',
      'route',
      'error_code',
      'caller',
      'request_id',
      'verification_id',
      'from',
      'to',
    ]),
  component: lazyRouteComponent(() => import('./requests/requests.tsx'), 'Requests'),
})

/** `client` is the one whose values are shown. */
const openidClients = createRoute({
  getParentRoute: () => inEnvironment,
  path: '/openid-clients',
  validateSearch: (search: Record<string, unknown>) => readTexts(search, ['client']),
  component: lazyRouteComponent(() => import('./openid-clients/openid-clients.tsx'), 'OpenIdClients'),
})

const erasures = createRoute({
  getParentRoute: () => inEnvironment,
  path: '/erasure-requests',
  validateSearch: ({ state }: Record<string, unknown>): { state?: 'refused' } =>
    state === 'refused' ? { state } : {},
  component: lazyRouteComponent(() => import('./erasures/erasures.tsx'), 'Erasures'),
  pendingComponent: PageSkeleton,
})

const settings = page(
  '/settings',
  lazyRouteComponent(() => import('./settings/settings.tsx'), 'Settings'),
)

const settingsIndex = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$environment/settings/brand', params, replace: true })
  },
})

/** A section of the settings. */
function section<Path extends string>(path: Path, component: RouteComponent) {
  return createRoute({ getParentRoute: () => settings, path, component })
}

const pages = [
  webhooks,
  delivery,
  verifications,
  verification,
  receipt,
  requests,
  openidClients,
  erasures,
  page(
    '/',
    lazyRouteComponent(() => import('./overview/overview.tsx'), 'Overview'),
  ),
  page(
    '/keys',
    lazyRouteComponent(() => import('./keys/keys.tsx'), 'Keys'),
  ),
  page(
    '/devices',
    lazyRouteComponent(() => import('./devices/devices.tsx'), 'Devices'),
  ),
  page(
    '/account',
    lazyRouteComponent(() => import('./account/account.tsx'), 'Account'),
  ),
  page(
    '/links',
    lazyRouteComponent(() => import('./links/links.tsx'), 'Links'),
  ),
  page(
    '/links/$id',
    lazyRouteComponent(() => import('./links/link.tsx'), 'LinkPage'),
  ),
  page(
    '/templates',
    lazyRouteComponent(() => import('./templates/templates.tsx'), 'Templates'),
  ),
  page(
    '/templates/new',
    lazyRouteComponent(() => import('./templates/template.tsx'), 'NewTemplate'),
  ),
  page(
    '/templates/$key',
    lazyRouteComponent(() => import('./templates/template.tsx'), 'TemplateDetail'),
  ),
  page(
    '/registrations',
    lazyRouteComponent(() => import('./registrations/registrations.tsx'), 'Registrations'),
  ),
  page(
    '/registrations/$id',
    lazyRouteComponent(() => import('./registrations/registration.tsx'), 'RegistrationPage'),
  ),
  page(
    '/usage',
    lazyRouteComponent(() => import('./usage/usage.tsx'), 'Usage'),
  ),
  page(
    '/alerts',
    lazyRouteComponent(() => import('./alerts/alerts.tsx'), 'Alerts'),
  ),
  audit,
  page(
    '/team',
    lazyRouteComponent(() => import('./team/team.tsx'), 'Team'),
  ),
  settings.addChildren([
    settingsIndex,
    section(
      '/brand',
      lazyRouteComponent(() => import('./settings/settings.tsx'), 'BrandSettings'),
    ),
    section(
      '/policies',
      lazyRouteComponent(() => import('./settings/settings.tsx'), 'PolicySettings'),
    ),
    section(
      '/holder-page',
      lazyRouteComponent(() => import('./settings/settings.tsx'), 'HolderPageSettings'),
    ),
    section(
      '/identity',
      lazyRouteComponent(() => import('./settings/settings.tsx'), 'IdentitySettings'),
    ),
    section(
      '/trust',
      lazyRouteComponent(() => import('./settings/settings.tsx'), 'TrustSettings'),
    ),
    section(
      '/request-log',
      lazyRouteComponent(() => import('./settings/settings.tsx'), 'RequestLogSettings'),
    ),
    section(
      '/sealing',
      lazyRouteComponent(() => import('./settings/settings.tsx'), 'SealedResultSettings'),
    ),
    section(
      '/alerts',
      lazyRouteComponent(() => import('./settings/settings.tsx'), 'AlertSettings'),
    ),
    section(
      '/support',
      lazyRouteComponent(() => import('./settings/settings.tsx'), 'SupportSettings'),
    ),
  ]),
] as const

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    signIn,
    signUp,
    invitation,
    shell.addChildren([inEnvironment.addChildren(pages)]),
  ]),
  basepath,
  defaultPreload: 'intent',
  defaultPendingComponent: PageSkeleton,
  defaultPendingMs: 150,
  defaultErrorComponent: ErrorPage,
  scrollRestoration: true,
})
