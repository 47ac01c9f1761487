import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Merchant, Service } from '../service.ts'
import { registerSite } from './site.ts'

/** What a site's server knows of its registration. */
export type Registration = { issuer: string; client_id: string; secret: string; redirect_uri: string }

export type SignedIn = { claims: Record<string, unknown>; userinfo: Record<string, unknown> }

/** The OpenID Connect part of a site. */
export type RelyingParty = {
  /** Where the browser goes, and what has to be remembered until it is back. */
  start(): Promise<{ url: URL; pending: Pending }>
  /** Checks everything that came back. Throws if anything is wrong. */
  finish(returned: URL, pending: Pending): Promise<SignedIn>
}
export type Pending = { state: string; nonce: string; verifier: string }

export type WebSite = {
  origin: string
  issuer: string
  /** The addresses that browsers came back with, in order. */
  returned: URL[]
  /** Who was signed in, in order. */
  signedIn: SignedIn[]
  /** The origins that posted to the site, in order. */
  postedFrom: (string | undefined)[]
} & AsyncDisposable

/**
 * A site with a button, on another host name than the service. It remembers what it started in the browser's session, which a cookie
 * names. With `form_post` it lets the answer be posted, with a cookie that other sites' forms bring along, and then redirects to
 * another origin, as identity brokers do.
 */
export async function openWebSite(
  service: Service,
  merchant: Merchant,
  build: (registration: Registration) => Promise<RelyingParty>,
  response_mode: 'query' | 'form_post' = 'query',
): Promise<WebSite> {
  const sessions = new Map<string, Pending>()
  const [returned, signedIn]: [URL[], SignedIn[]] = [[], []]
  const postedFrom: WebSite['postedFrom'] = []
  let party: RelyingParty
  const respond = async (request: IncomingMessage): Promise<Reply> => {
    const url = new URL(request.url ?? '/', origin)
    if (url.pathname === '/start') {
      const started = await party.start()
      const session = crypto.randomUUID()
      sessions.set(session, started.pending)
      const sameSite = response_mode === 'query' ? 'Lax' : 'None; Secure'
      const cookie = `shop_session=${session}; Path=/; HttpOnly; SameSite=${sameSite}`
      if (response_mode === 'form_post') started.url.searchParams.set('response_mode', response_mode)
      return { status: 303, headers: { location: started.url.href, 'set-cookie': cookie } }
    }
    if (url.pathname === '/welcome') return writePage('Welcome', '')
    if (url.pathname !== '/callback')
      return writePage('Harbour Wines', '<a href="/start">Confirm your age</a>')
    if (request.method === 'POST') {
      postedFrom.push(request.headers.origin)
      url.search = await text(request)
    }
    returned.push(url)
    const session = /shop_session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
    const pending = sessions.get(session)
    if (pending === undefined) return writePage('You did not start here', '')
    sessions.delete(session)
    try {
      signedIn.push(await party.finish(url, pending))
      if (response_mode === 'query') return writePage('Welcome', '')
      return { status: 303, headers: { location: `http://localhost:${url.port}/welcome` } }
    } catch (error) {
      return writePage('You are not signed in', error instanceof Error ? error.message : '')
    }
  }
  const server = createServer((request, response) => {
    respond(request).then(
      ({ status, headers, body = '' }) => response.writeHead(status, headers).end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  const origin = `http://127.0.0.1:${port}`
  const redirect_uri = `${origin}/callback`
  const {
    issuer,
    client_id,
    secret = '',
  } = await registerSite(service, {
    merchant,
    redirect_uris: [redirect_uri],
  })
  party = await build({ issuer, client_id, secret, redirect_uri })
  return {
    origin,
    issuer,
    returned,
    signedIn,
    postedFrom,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

type Reply = { status: number; headers: Record<string, string>; body?: string }

/** Test data goes into it as it is: every caller is a test. */
function writePage(title: string, body: string): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body: `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${body}</p></html>`,
  }
}
