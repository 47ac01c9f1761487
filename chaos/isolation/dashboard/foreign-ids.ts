import { randomBytes, randomUUID } from 'node:crypto'
import { may, roles, type DashboardOperation, type DashboardRoute, type Role } from '@vidimus/contract'
import { dayOfVerificationId, newVerificationId } from '../../../apps/service/src/engine/basics/ids.ts'
import { openBrowser, type Browser } from '../../../apps/service/test/sign-in/browser.ts'
import { caller, type ApiResponse } from '../../../apps/service/test/caller.ts'
import {
  deviceTargets,
  malformedIds,
  verificationTargets,
  comparableResponse,
  type Target,
} from '../foreign-ids.ts'
import { changedTables, digestTables } from '../../../apps/service/test/database/table-digests.ts'
import { duplicatePasskeyId } from '../fixture/duplicate-ids.ts'
import type { TenantFixture } from '../fixture/tenant-fixture.ts'
import type { MatrixResult, MatrixPart } from '../matrix-part.ts'
import type { IsolationFixture } from '../fixture/isolation-fixture.ts'
import { asKey, isManaged } from './management.ts'
import { sessionIdOf } from './member-sessions.ts'
import { routesWithIds, type NamedRoute } from './routes.ts'

type Environment = 'test' | 'live'
type Requester = {
  name: string
  as: Pick<Browser, 'call'>
  environment?: Environment
  headers?: Record<string, string>
  targets: Target[]
}

/**
 * Every dashboard route with an id × every id that is not the requester's × members of other tenants and roles, removed
 * members, keys and devices: the response is the one for an id that does not exist, and no row changes.
 */
export const dashboardForeignIdParts: readonly MatrixPart[] = routesWithIds.map(([operation, route]) => ({
  name: `dashboard.${operation}: ids of others`,
  routes: [`dashboard.${operation}`, ...(isManaged(operation) ? [operation] : [])],
  run: (fixture) => tryForeignIds([operation, route], fixture),
}))

async function tryForeignIds(
  [operation, route]: NamedRoute,
  fixture: IsolationFixture,
): Promise<MatrixResult> {
  const { db } = fixture.service.ctx
  const faults: string[] = []
  let cells = 0
  const before = await digestTables(db)
  const requesters = [
    ...listRequesters(route, fixture),
    ...(isManaged(operation) ? listKeys(route, fixture) : []),
  ]
  for (const { name, as, targets, environment = 'test', headers = {} } of requesters) {
    const sendRequest = (id: string): Promise<ApiResponse> =>
      as.call(operation, {
        params: { environment, id, key: id, kid: id, fingerprint: id, attempt: '1' },
        headers,
        ...(route.json !== undefined && { body: requestBodies[operation] }),
      })
    const unknown = comparableResponse(await sendRequest(unknownId(route, fixture.victim)))
    for (const target of targets) {
      cells += 1
      const response = comparableResponse(await sendRequest(target.id))
      if (response !== unknown)
        faults.push(`${name} requested ${target.name} and got ${response.slice(0, 200)}`)
    }
  }
  for (const table of changedTables(before, await digestTables(db))) faults.push(`rows of ${table} changed`)
  return { cells, faults }
}

/** The bodies of the routes that need one. A route that is missing here fails its first request. */
export const requestBodies: Partial<Record<DashboardOperation, object>> = {
  changeRole: { role: 'developer' },
  duplicateTemplate: { key: 'a_copy' },
  changeWebhookEndpoint: { description: 'Changed' },
  rollKey: { overlap_seconds: 0 },
  rollOpenIdClientSecret: { overlap_seconds: 0 },
  changeOpenIdClient: { name: 'Renamed' },
  changeLink: { name: 'Renamed' },
  changeDevice: { name: 'Renamed' },
  activateSealingKey: { challenge: 'the answer' },
  renewPairingCode: {},
  changeRegistration: { name: 'Renamed' },
  assignRegistration: { registration_id: null },
}

function listRequesters(
  route: DashboardRoute,
  { service, victim, otherTenant, duplicateTenants }: IsolationFixture,
): Requester[] {
  const kind = findKind(route)
  const theirs = kind.of(victim)
  const malformedTargets = (tenant: TenantFixture) =>
    malformedIds(kind.of(tenant)[0]?.id ?? '').map((id) => ({ id, name: `the malformed ${id.slice(0, 40)}` }))
  const malformed = malformedTargets(victim)
  const gone = [...kind.gone(victim), ...kind.gone(otherTenant)]
  const doubled =
    route.not_found === 'passkey_not_found'
      ? duplicateTenants.map((each) => duplicatePasskeyId(each, otherTenant))
      : []
  const foreign = [...theirs, ...kind.live(victim), ...gone, ...malformed]
  const signedOut = openBrowser(service)
  const allowed = (role: Role) =>
    route.may === 'signed_in' || may(role, route.may as Parameters<typeof may>[1])
  return [
    {
      name: "another tenant's owner",
      as: otherTenant.team.owner,
      targets: [...foreign, ...doubled.map((id) => ({ id, name: "a duplicate's passkey" }))],
    },
    {
      name: "another tenant's owner, in live",
      as: otherTenant.team.owner,
      environment: 'live',
      targets: foreign,
    },
    ...roles
      .filter((role) => role !== 'owner')
      .map((role) => ({ name: `another tenant's ${role}`, as: otherTenant.team[role], targets: theirs })),
    {
      name: 'the owner',
      as: victim.team.owner,
      targets: [...gone, ...malformedTargets(otherTenant), ...kind.live(victim), ...kind.of(otherTenant)],
    },
    ...(kind.live(victim).length === 0
      ? []
      : [
          {
            name: 'the owner, in live',
            as: victim.team.owner,
            environment: 'live' as const,
            targets: theirs,
          },
        ]),
    // A role without permission gets the same refusal for any id, and passkeys belong to one member only.
    ...roles
      .filter((role) => !allowed(role) || (route.may === 'signed_in' && role !== 'owner'))
      .map((role) => ({
        name: `the ${role}`,
        as: victim.team[role],
        targets: [...theirs, ...malformed.slice(0, 3)],
      })),
    { name: 'a removed member', as: victim.removed, targets: theirs },
    { name: 'a signed-out browser', as: signedOut, targets: foreign },
    ...Object.entries({
      'a key': victim.merchant.key,
      'a device': victim.till.token,
      "another tenant's device": otherTenant.till.token,
      'a session as a key': [...victim.team.owner.cookies.values()].join(''),
    }).map(([name, token]) => ({
      name,
      as: signedOut,
      headers: { authorization: `Bearer ${token}` },
      targets: theirs,
    })),
  ]
}

/** The keys that reach the same operation. */
function listKeys(route: DashboardRoute, { service, victim, otherTenant }: IsolationFixture): Requester[] {
  const kind = findKind(route)
  const theirs = kind.of(victim)
  const gone = [...kind.gone(victim), ...kind.gone(otherTenant)]
  const malformed = malformedIds(theirs[0]?.id ?? '').map((id) => ({
    id,
    name: `the malformed ${id.slice(0, 40)}`,
  }))
  const foreign = [...theirs, ...kind.live(victim), ...gone, ...malformed]
  const owner = caller(service.address, [...victim.team.owner.cookies.values()].join(''))
  return [
    { name: "another tenant's key", as: asKey(otherTenant.merchant), targets: foreign },
    { name: "another tenant's live key", as: asKey(otherTenant.live), targets: foreign },
    { name: 'the key', as: asKey(victim.merchant), targets: [...kind.live(victim), ...kind.of(otherTenant)] },
    // What has no live twin belongs to both environments.
    ...(kind.live(victim).length === 0
      ? []
      : [{ name: 'the live key', as: asKey(victim.live), targets: theirs }]),
    { name: 'the device', as: asKey(victim.till.as), targets: foreign },
    { name: "the owner's session as a key", as: asKey(owner), targets: foreign },
  ]
}

function findKind({ not_found }: DashboardRoute): TargetKind {
  const kind = kinds[not_found ?? '']
  if (kind === undefined) throw new Error(`the matrix has no targets for routes that answer ${not_found}`)
  return kind
}

type TargetKind = Record<'of' | 'live' | 'gone', (tenant: TenantFixture) => Target[]>

const verifications: TargetKind = {
  of: verificationTargets,
  live: ({ live_verification }) => [{ ...live_verification, name: 'a live verification' }],
  gone: ({ erased }) => [{ ...erased, name: 'an erased verification' }],
}

/** The possible targets, by the error code of a missing one. */
const kinds: Partial<Record<string, TargetKind>> = {
  session_not_found: verifications,
  delivery_not_found: verifications,
  device_not_found: {
    of: deviceTargets,
    live: ({ live_till }) => [{ id: live_till.id, name: 'a live device' }],
    gone: () => [],
  },
  webhook_endpoint_not_found: {
    of: ({ endpoint }) => [{ ...endpoint, name: 'an endpoint' }],
    live: ({ live_endpoint }) => [{ ...live_endpoint, name: 'a live endpoint' }],
    gone: () => [],
  },
  link_not_found: {
    of: ({ link: id }) => [{ id, name: 'a link' }],
    live: ({ live_link: id }) => [{ id, name: 'a live link' }],
    gone: () => [],
  },
  sealing_key_not_found: {
    of: ({ sealing_key: id }) => [{ id, name: 'a sealing key' }],
    live: ({ live_sealing_key: id }) => [{ id, name: 'a live sealing key' }],
    gone: () => [],
  },
  openid_client_not_found: {
    of: ({ openid_client: id }) => [{ id, name: 'an OpenID client' }],
    live: ({ live_openid_client: id }) => [{ id, name: 'a live OpenID client' }],
    gone: () => [],
  },
  key_not_found: {
    of: ({ spare_key_id: id, revoked_key_id, merchant }) => [
      { id, name: 'a key' },
      { id: merchant.key_id, name: 'the key' },
      { id: revoked_key_id, name: 'a revoked key' },
    ],
    live: ({ live }) => [{ id: live.key_id, name: 'a live key' }],
    gone: () => [],
  },
  template_not_found: {
    of: ({ own_template: id }) => [{ id, name: 'a template' }],
    live: () => [],
    gone: () => [],
  },
  member_not_found: {
    of: ({ team }) => Object.entries(team).map(([role, { id }]) => ({ id, name: `the ${role}` })),
    live: () => [],
    gone: ({ removed: { id } }) => [{ id, name: 'a removed member' }],
  },
  invitation_not_found: {
    of: ({ invitation: { id } }) => [{ id, name: 'an invitation' }],
    live: () => [],
    gone: ({ withdrawn_invitation_id: id }) => [{ id, name: 'a withdrawn invitation' }],
  },
  passkey_not_found: {
    of: ({ team }) => [{ id: team.owner.passkey.id, name: "the owner's passkey" }],
    live: () => [],
    gone: ({ removed }) => [{ id: removed.passkey.id, name: 'a passkey of one who was removed' }],
  },
  member_session_not_found: {
    of: ({ team }) => [{ id: sessionIdOf(team.owner), name: "the owner's session" }],
    live: () => [],
    gone: ({ removed }) => [{ id: sessionIdOf(removed), name: 'a session of one who was removed' }],
  },
  registration_not_found: {
    of: ({ registration }) => [{ ...registration, name: 'a registration' }],
    live: () => [],
    gone: () => [],
  },
  anchor_not_found: {
    of: ({ anchor: id }) => [{ id, name: 'an anchor' }],
    live: () => [],
    gone: () => [],
  },
}

function unknownId({ not_found }: DashboardRoute, { erased }: TenantFixture): string {
  if (not_found === 'session_not_found' || not_found === 'delivery_not_found')
    return newVerificationId('0', dayOfVerificationId(erased.id) ?? '')
  if (not_found === 'webhook_endpoint_not_found') return `we_${randomBytes(16).toString('base64url')}`
  if (not_found === 'sealing_key_not_found') return randomBytes(32).toString('base64url')
  if (not_found === 'template_not_found') return 'nobodys_template'
  if (not_found === 'anchor_not_found') return randomBytes(32).toString('hex')
  return randomUUID()
}
