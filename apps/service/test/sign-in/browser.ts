import { dashboardPaths, type DashboardOperation, type Role } from '@vidimus/contract'
import { inviteMember } from '../../src/accounts/members/invitations/invite.ts'
import { softwareAuthenticator, type Authenticator } from './authenticator.ts'
import { caller, type ApiResponse } from '../caller.ts'
import type { Service } from '../service.ts'

export type CallOptions = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  headers?: Record<string, string>
}

/** A browser on the dashboard: it stores cookies and sends the origin headers. */
export type Browser = {
  call(operation: DashboardOperation, call?: CallOptions): Promise<ApiResponse>
  cookies: Map<string, string>
  /** The session cookie as a header. */
  cookie(): string
  origin: string
}

export type SignedInBrowser = Browser & { passkey: Authenticator; email: string }

/** Where the service listens, or a function that returns it. */
type ServiceAddress = { address: string | (() => string); ctx: Service['ctx'] }

export function openBrowser({ address, ctx }: ServiceAddress): Browser {
  const { origin } = new URL(ctx.config.BASE_URL)
  const cookies = new Map<string, string>()
  const cookie = () => Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ')
  return {
    cookies,
    cookie,
    origin,
    async call(operation, { params = {}, query, body, headers } = {}) {
      const { method, path } = dashboardPaths[operation]
      const reply = await caller(address).request(method, buildPath(path, params, query), {
        headers: {
          'sec-fetch-site': 'same-origin',
          ...(method !== 'GET' && { origin }),
          ...(cookies.size > 0 && { cookie: cookie() }),
          ...headers,
        },
        ...(body !== undefined && { body }),
      })
      storeCookies(cookies, reply)
      return reply
    },
  }
}

export function buildPath(
  path: string,
  params: Record<string, string>,
  query?: Record<string, string>,
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return query === undefined ? filled : `${filled}?${new URLSearchParams(query).toString()}`
}

export function storeCookies(cookies: Map<string, string>, { headers }: ApiResponse): void {
  for (const text of headers.getSetCookie()) {
    const [pair = ''] = text.split(';')
    const name = pair.slice(0, pair.indexOf('='))
    if (text.includes('Max-Age=0')) cookies.delete(name)
    else cookies.set(name, pair.slice(name.length + 1))
  }
}

/** The token in the fragment of a link. */
export function tokenFromLink(link: string): string {
  return new URL(link).hash.slice(1)
}

/** Invites a member and signs them in with a new passkey, over the routes that a browser uses. */
export async function signIn(
  service: ServiceAddress,
  {
    tenant_id,
    role = 'owner',
    email = `${role}@example.com`,
  }: { tenant_id: string; role?: Role; email?: string },
): Promise<SignedInBrowser> {
  const { link } = await inviteMember(service.ctx, { by: { kind: 'operator', tenant_id }, email, role })
  const browser = openBrowser(service)
  const passkey = softwareAuthenticator(browser.origin)
  const token = tokenFromLink(link)
  const name = `The ${role}`
  const offered = await browser.call('startPasskeyOfInvitation', { body: { token, name } })
  const response = passkey.create(offered.body.options)
  const reply = await browser.call('acceptWithPasskey', { body: { token, name, response } })
  if (reply.status !== 200) throw new Error(`the sign-in failed: ${reply.text}`)
  return { ...browser, passkey, email }
}
