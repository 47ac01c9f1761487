import { Agent, createServer, request as openRequest, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Keyring } from '../../apps/service/src/engine/keyring/open.ts'
import { runConcurrently } from '../run-concurrently.ts'
import type { CellName } from '../../apps/service/test/cells/start-cells.ts'
import { drawCredentials, type Credentials } from './credentials.ts'
import type { MountedRoute } from './list-routes.ts'
import { findRule, type RoutedRequest } from './routing-rules.ts'

export type SendOptions = {
  address: string
  routes: readonly MountedRoute[]
  keyring: Keyring
  /** The cell that must get a request with credentials of `own`. */
  expected: (own: CellName) => CellName
  drawn?: Record<CellName, Credentials>
  only?: (route: MountedRoute, request: RoutedRequest) => boolean
}

/** Sends requests of each cell to every route that has a rule. Returns those that did not reach the expected cell. */
export async function sendToRoutes({ address, routes, keyring, expected, drawn, only }: SendOptions) {
  const requests = routes.flatMap((route) =>
    (['a', 'b'] as const).flatMap((cell) => {
      const rule = findRule(route)
      if (typeof rule !== 'function') return []
      return rule(route, drawn?.[cell] ?? drawCredentials(keyring, cell))
        .filter((request) => only?.(route, request) !== false)
        .map((request) => ({ route, cell, request }))
    }),
  )
  const reports = await runConcurrently(requests.length, 8, async (round) => {
    const [{ route, cell, request }] = requests.slice(round) as [(typeof requests)[number]] // one for each round
    const foreign = drawCredentials(keyring, otherCell(cell))
    const reached = await send(address, route.method, withForeign(request, foreign))
    return reached === expected(cell)
      ? ''
      : `${route.method} ${request.path} of cell ${cell} reached ${reached}`
  })
  return { wrong: reports.filter((report) => report !== ''), sent: reports.length }
}

export function otherCell(cell: CellName): CellName {
  return cell === 'a' ? 'b' : 'a'
}

/** Adds credentials of another cell in every place where the route must not look. */
function withForeign(request: RoutedRequest, foreign: Credentials): RoutedRequest {
  const path = request.path.replace('/unknown', `/${foreign.verification_id}`)
  const asksForCell = path === '/dashboard/api/sign-in/oidc' || path.includes('?')
  return {
    ...request,
    path: asksForCell ? path : `${path}?cell=${foreign.verification_id.charAt(3)}`,
    headers: {
      authorization: `Bearer ${foreign.key}`,
      cookie: `vidimus_session=${foreign.cookie}`,
      ...request.headers,
    },
  }
}

/** Faster than fetch, and it follows no redirect. */
const agent = new Agent({ keepAlive: true, maxSockets: 16 })

/** The cell whose backend answered. */
export async function send(
  address: string,
  method: string,
  { path, headers, json, form }: RoutedRequest,
): Promise<string> {
  const body = json === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(json)
  const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
  const sent = openRequest(address + path, {
    method,
    agent,
    headers: {
      ...headers,
      ...(body !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
    },
  }).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage] // the event has one argument
  response.resume()
  await once(response, 'end')
  // The backend for what is the same everywhere adds no header, so a request that reached its cell by chance counts as wrong.
  return String(response.headers['vidimus-cell'] ?? `any cell (${response.statusCode ?? 0})`)
}

/** A server that answers everything. */
export async function startStub(): Promise<{ port: number; close: () => void }> {
  const server = createServer((request: IncomingMessage, response) => {
    request.resume()
    request.on('end', () => response.end('{}'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  return { port, close: () => (server.close(), server.closeAllConnections()) }
}
