import { dashboardRoutes, routes } from '@vidimus/contract'
import type { Credentials } from './credentials.ts'
import type { MountedRoute } from './list-routes.ts'

/** A request as it names its cell. */
export type RoutedRequest = {
  path: string
  headers?: Record<string, string>
  json?: unknown
  form?: Record<string, string>
}

type Rule = (route: MountedRoute, own: Credentials) => RoutedRequest[]

/** How the routes without a key or a session cookie name their cell. A new one must be added here and in deploy/haproxy-cells.cfg. */
const rulesByRoute: Record<string, Rule> = {
  'GET /v1/verifications/:id/status': byVerificationId,
  'POST /v1/devices/enroll': (route, { pairing_code }) =>
    spellings(pairing_code).map((code) => ({ path: route.path, json: { pairing_code: code } })),
  'POST /v1/devices/token': ({ path }, { refresh_token }) => [{ path, json: { refresh_token } }],
  'GET /verify/:id': byVerificationId,
  'GET /verify/:id/session': byVerificationId,
  'GET /verify/:id/events': byVerificationId,
  'POST /verify/:id/cancel': byVerificationId,
  'GET /verify/:id/card': byVerificationId,
  'GET /v/:code': byLink,
  'POST /v/:code': byLink,
  'GET /wallet/code/:code': byCode,
  'POST /wallet/code/:code': byCode,
  'GET /wallet/request/:sessionId': byVerificationId,
  'POST /wallet/request/:sessionId': byVerificationId,
  'POST /wallet/response/:sessionId': byVerificationId,
  'GET /wallet/dc/:sessionId': byVerificationId,
  'POST /wallet/dc/:sessionId': byVerificationId,
  'POST /sandbox/responses': ({ path }, own) => [{ path, json: { wallet_uri: walletLink(own) } }],
  'POST /sandbox/wallet': ({ path }, own) => [
    { path, form: { persona: 'adult', wallet_uri: walletLink(own) } },
  ],
  'POST /listen/outcomes': byKey,
  'GET /listen/:id': byKey,
  'DELETE /listen/:id': byKey,
  'POST /dashboard/api/sign-in/passkey': ({ path }, { user_handle: userHandle }) => [
    { path, json: { response: { id: 'x', response: { clientDataJSON: 'e30', userHandle } } } },
  ],
  'POST /dashboard/api/sign-in/passkey/options': byQuery,
  'POST /dashboard/api/sign-in/oidc': (route, own) => [...byQuery(route, own), ...byCookie(route, own)],
  'GET /dashboard/api/sign-in/oidc/callback': ({ path }, { state }) => [
    { path: `${path}?code=x&state=${state}` },
  ],
  'POST /dashboard/api/invitation': byInvitation,
  'POST /dashboard/api/invitation/passkey': byInvitation,
  'POST /dashboard/api/invitation/passkey/options': byInvitation,
  'POST /dashboard/api/invitation/oidc': byInvitation,
  'POST /dashboard/api/sign-out': byCookie,
}

/** Pages, files and answers that are the same in every cell. */
const sameEverywhere = [
  /^GET \/(?:llms\.txt|(?:openapi|postman|hashmap)\.json|favicon\.(?:svg|ico)|healthz|readyz)?$/,
  /^GET \/(?:docs|till|dashboard)(?:$|\/(?!api\/))/,
  /^GET \/(?:dashboard|till)\*$/,
  /^GET \/verify\/(?:assets|languages)\//,
  /^GET \/component\//,
  /^GET \/sandbox\/wallet$/,
  /^GET \/dashboard\/api\/sign-in$/,
  // Any cell may open an account. The link that it mails names it.
  /^POST \/dashboard\/api\/sign-up$/,
  // It only exchanges cookies, and must work while the cell in use is down.
  /^POST \/dashboard\/api\/switch$/,
]

const keyed = new Set<string>(
  Object.values(routes).flatMap((route) => ('scope' in route ? [describePath(route)] : [])),
)
const signedIn = new Set<string>(
  Object.values(dashboardRoutes).flatMap((route) => (route.may === 'anyone' ? [] : [describePath(route)])),
)

/** The rule of a route, or `same` if every cell answers it alike. Undefined if nobody said how the route names its cell. */
export function findRule(route: MountedRoute): Rule | 'same' | undefined {
  const name = `${route.method} ${route.path}`
  if (rulesByRoute[name] !== undefined) return rulesByRoute[name]
  if (route.path.startsWith('/oidc/:') || route.path.startsWith('/erase/:')) return byIssuer
  if (keyed.has(name)) return byKey
  if (signedIn.has(name)) return byCookie
  return sameEverywhere.some((pattern) => pattern.test(name)) ? 'same' : undefined
}

function describePath({ method, path }: { method: string; path: string }): string {
  return `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
}

/** With a key and with a till's token. The ids in the path may be another tenant's. */
function byKey({ path }: MountedRoute, { key, access_token }: Credentials): RoutedRequest[] {
  return [key, access_token].map((token) => ({
    path: path.replaceAll(/:\w+/g, 'unknown'),
    headers: { authorization: `Bearer ${token}` },
  }))
}

function byCookie({ path }: MountedRoute, { cookie }: Credentials): RoutedRequest[] {
  return ['vidimus_session', '__Host-vidimus_session'].map((name) => ({
    path: path.replaceAll(/:environment/g, 'test').replaceAll(/:\w+/g, 'unknown'),
    headers: { cookie: `theme=dark; ${name}=${cookie}` },
  }))
}

function byVerificationId({ path }: MountedRoute, { verification_id }: Credentials): RoutedRequest[] {
  return [{ path: path.replace(/:\w+/, verification_id) }]
}

/** A code of the screen has its cell where an id has it. */
function byCode({ path }: MountedRoute, { verification_id }: Credentials): RoutedRequest[] {
  return [{ path: path.replace(/:\w+/, `vc_${verification_id.charAt(3)}${'A'.repeat(90)}`) }]
}

function byLink({ path }: MountedRoute, { link_code }: Credentials): RoutedRequest[] {
  return [{ path: path.replace(/:\w+/, link_code) }]
}

/** Every address below an issuer begins with its cell and its tenant's id. */
function byIssuer({ path }: MountedRoute, { issuer }: Credentials): RoutedRequest[] {
  return [{ path: path.replace(/:\w+/, issuer) }]
}

function byInvitation({ path }: MountedRoute, { invitation: token }: Credentials): RoutedRequest[] {
  return [{ path, json: { token, name: 'Marta Keller' } }]
}

/** Before anyone is known the page asks a cell that it names. */
function byQuery({ path }: MountedRoute, { verification_id }: Credentials): RoutedRequest[] {
  return [{ path: `${path}?cell=${verification_id.charAt(3)}`, json: {} }]
}

/** As people type a code. */
function spellings(code: string): string[] {
  return [
    code,
    code.toLowerCase(),
    code.replaceAll('-', ''),
    code.slice(3),
    ` ${code.slice(3).replace('-', ' ')} `,
  ]
}

function walletLink({ verification_id }: Credentials): string {
  const request = encodeURIComponent(`https://verify.example/wallet/request/${verification_id}`)
  return `openid4vp://?client_id=x509_hash%3Aabc&request_uri=${request}&request_uri_method=post`
}
