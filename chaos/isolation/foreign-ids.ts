import { randomBytes, randomUUID } from 'node:crypto'
import { managementRoutes, routes, type Route } from '@vidimus/contract'
import { dayOfVerificationId, newVerificationId } from '../../apps/service/src/engine/basics/ids.ts'
import { caller, type ApiResponse, type Caller } from '../../apps/service/test/caller.ts'
import { changedTables, digestTables } from '../../apps/service/test/database/table-digests.ts'
import type { TenantFixture, TenantMember, OwnedVerification } from './fixture/tenant-fixture.ts'
import type { MatrixResult, RouteName, MatrixPart } from './matrix-part.ts'
import type { IsolationFixture } from './fixture/isolation-fixture.ts'

export type Target = OwnedVerification & { name: string }
type Requester = { name: string; as: Caller; verifications: Target[]; devices: Target[]; endpoints: Target[] }

const neverIssuedCode = 'a-code-that-was-never-given-out'

/**
 * Every route with an id × every id that is not the caller's × every kind of caller: the response is byte for byte the one
 * for an id that does not exist, and no row changes.
 */
export const foreignIdParts: readonly MatrixPart[] = Object.entries<Route>(routes)
  .filter(([name, { path }]) => path.includes('{') && !(name in managementRoutes))
  .map(([name, route]) => ({
    name: `${name}: ids of others`,
    routes: [name as RouteName], // a key of the table
    run: (fixture) => tryForeignIds(route, fixture),
  }))

async function tryForeignIds(
  route: Route,
  { service, victim, otherTenant }: IsolationFixture,
): Promise<MatrixResult> {
  const faults: string[] = []
  let cells = 0
  const requesters =
    route.scope === undefined
      ? [unauthenticatedRequester(service.address, victim, otherTenant)]
      : listRequesters(service.address, victim, otherTenant)
  let before = await digestTables(service.ctx.db)
  for (const requester of requesters) {
    const unknown = new Map<string | undefined, string>()
    for (const target of listTargets(route, requester)) {
      cells += 1
      const expected = unknown.get(target.code) ?? (await requestUnknown(target))
      unknown.set(target.code, expected)
      const response = comparableResponse(await sendRequest(route, requester.as, target))
      if (response !== expected)
        faults.push(`${requester.name} requested ${target.name} and got ${response.slice(0, 200)}`)
    }
    const after = await digestTables(service.ctx.db)
    for (const table of changedTables(before, after)) faults.push(`${requester.name} changed ${table}`)
    before = after

    async function requestUnknown(target: Target): Promise<string> {
      const id = unknownId(route, victim)
      return comparableResponse(await sendRequest(route, requester.as, { ...target, id }))
    }
  }
  return { cells, faults }
}

/** Without a key the id itself is the capability, so only erased and unknown ids remain to be tried. */
function unauthenticatedRequester(
  address: string,
  victim: TenantFixture,
  otherTenant: TenantFixture,
): Requester {
  const gone = [victim, otherTenant].map(({ erased }) => ({ ...erased, name: 'an erased verification' }))
  return {
    name: 'an unauthenticated caller',
    as: caller(address),
    verifications: gone,
    devices: [],
    endpoints: [],
  }
}

function listRequesters(address: string, victim: TenantFixture, otherTenant: TenantFixture): Requester[] {
  const theirs = [
    ...verificationTargets(victim),
    { ...victim.live_verification, name: 'a live verification of another' },
  ]
  const gone = [victim, otherTenant].map(({ erased }) => ({ ...erased, name: 'an erased verification' }))
  const live = { ...victim.live_verification, name: 'the live verification' }
  const devices = deviceTargets(victim)
  const liveDevice = { id: victim.live_till.id, name: 'the live device' }
  const endpoints = [{ ...victim.endpoint, name: 'an endpoint' }]
  const liveEndpoint = { ...victim.live_endpoint, name: 'a live endpoint' }
  const foreign = {
    verifications: [...theirs, ...gone],
    devices: [...devices, liveDevice],
    endpoints: [...endpoints, liveEndpoint],
  }
  const ofTest = { verifications: [...verificationTargets(victim), ...gone], devices, endpoints }
  const unlessMine = ({ id }: Target) => id !== victim.verifications.created_by_device.id
  return [
    { name: "another tenant's key", as: otherTenant.merchant, ...foreign },
    { name: "another tenant's live key", as: otherTenant.live, ...foreign },
    { name: "another tenant's device", as: otherTenant.till.as, ...foreign },
    { name: "another tenant's live device", as: otherTenant.live_till.as, ...foreign },
    { name: 'the live key', as: victim.live, ...ofTest },
    { name: 'the live device', as: victim.live_till.as, ...ofTest },
    { name: 'another device', as: victim.other_till.as, ...foreign },
    {
      name: 'the device',
      as: victim.till.as,
      ...foreign,
      verifications: foreign.verifications.filter(unlessMine),
    },
    {
      name: 'the key',
      as: victim.merchant,
      verifications: [live, ...gone],
      devices: [liveDevice],
      endpoints: [liveEndpoint],
    },
    { name: "a member's session", as: withCookie(address, victim.team.owner), ...foreign },
    {
      name: "a member's session as a key",
      as: caller(address, sessionToken(victim.team.owner)),
      ...foreign,
    },
  ]
}

/** A member's session is valid for the dashboard only. */
function withCookie(address: string, person: TenantMember): Caller {
  const as = caller(address)
  const headers = { cookie: person.cookie(), origin: person.origin, 'sec-fetch-site': 'same-origin' }
  const request: Caller['request'] = (method, path, options) =>
    as.request(method, path, { ...options, headers: { ...headers, ...options?.headers } })
  return { ...as, request }
}

function sessionToken({ cookies }: TenantMember): string {
  return [...cookies.values()].join('')
}

export function verificationTargets({ verifications }: TenantFixture): Target[] {
  return Object.entries(verifications).map(([state, verification]) => ({
    ...verification,
    name: `a ${state} verification`,
  }))
}

export function deviceTargets({ till, other_till, unpaired }: TenantFixture): Target[] {
  return [
    { id: till.id, name: 'a device' },
    { id: other_till.id, name: 'a device' },
    { id: unpaired.id, name: 'an unpaired device' },
  ]
}

function listTargets(route: Route, requester: Requester): Target[] {
  const real = targetsByCode(requester)[route.not_found ?? ''] ?? requester.verifications
  const malformed = malformedIds(real[0]?.id ?? randomUUID())
  return [...real, ...malformed.map((id) => ({ id, name: `the malformed ${id.slice(0, 40)}` }))]
}

function targetsByCode({ devices, endpoints }: Requester): Record<string, Target[]> {
  return { device_not_found: devices, webhook_endpoint_not_found: endpoints }
}

/** Malformed variants of an id. */
export function malformedIds(id: string): string[] {
  return [
    'x',
    '0',
    'vs_',
    'null',
    id.slice(0, -1),
    `${id}A`,
    id.toUpperCase(),
    ` ${id}`,
    `${id}\0`,
    `${id}'--`,
    '\u{fffd}',
    '%',
    randomUUID(),
    'v'.repeat(128),
    'v'.repeat(2000),
  ]
}

function unknownId({ not_found }: Route, { erased }: TenantFixture): string {
  if (not_found === 'device_not_found') return randomUUID()
  if (not_found === 'webhook_endpoint_not_found') return `we_${randomBytes(16).toString('base64url')}`
  if (not_found === 'session_not_found' || not_found === 'invalid_response_code')
    return newVerificationId('0', dayOfVerificationId(erased.id) ?? '')
  throw new Error(`the matrix has no unknown id for routes that answer ${not_found}`)
}

/** Of a wallet nearby: an engagement of version 1.0, and the generator of P-256 as the reader's key. */
const readerSession = {
  device_engagement: 'oQBjMS4w',
  reader_key:
    'pAECIAEhWCBrF9Hy4SxCR_i85uVjpEDydwN9gS3rM6D0oTlF2JjCliJYIE_jQuL-Gn-bjufrSnwPnhYrzjNXazFezsu2QGg3v1H1',
}

/** What a route that changes an object is sent. */
const changes: Record<string, Record<string, string | boolean>> = {
  '/v1/devices/{id}': { name: 'Taken over' },
  '/v1/devices/{id}/pairing-code': {},
  '/v1/webhook_endpoints/{id}': { description: 'Taken over' },
  '/v1/verifications/{id}/comparison': { same_person: true },
  '/v1/verifications/{id}/reader-requests': readerSession,
  '/v1/verifications/{id}/presentations': { ...readerSession, device_response: 'o2d2ZXJzaW9uYzEuMA' },
}

async function sendRequest(
  { method, path, json, form }: Route,
  as: Caller,
  { id, code }: Target,
): Promise<ApiResponse> {
  const there = path.replaceAll(/\{\w+\}/g, encodeURIComponent(id))
  const change = changes[path]
  if (json !== undefined && change !== undefined) return as.request(method, there, { body: change })
  // The valid code if there is one, so that only its owner makes the difference.
  if (json !== undefined)
    return as.request(method, there, { body: { response_code: code ?? neverIssuedCode } })
  if (form !== undefined) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return as.request(method, there, { headers, raw: 'response=nothing' })
  }
  return as.request(method, there)
}

const volatileHeaders = new Set(['date', 'x-request-id', 'request-id'])

/** Everything by which a caller can distinguish two responses, except dates and request ids. */
export function comparableResponse({ status, headers, text }: ApiResponse): string {
  const kept = [...headers].filter(([name]) => !volatileHeaders.has(name)).map((header) => header.join(': '))
  return [status, text, ...kept].join('\n')
}
