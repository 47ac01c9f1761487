import { setTimeout as sleep } from 'node:timers/promises'
import { environments, type DashboardOperation } from '@vidimus/contract'
import { flushAudit } from '../../../apps/service/src/audit/advance.ts'
import { recorderBounds } from '../../../apps/service/src/dashboard/request-log/record.ts'
import type { ApiResponse } from '../../../apps/service/test/caller.ts'
import { deleteTenantWideAlerts, generateActivity } from '../fixture/generate-activity.ts'
import { expectEqual } from '../expect-equal.ts'
import { daily_quota, type TenantFixture, type TenantMember } from '../fixture/tenant-fixture.ts'
import type { MatrixPart } from '../matrix-part.ts'
import { expectDuplicatesUnseen } from './member-sessions.ts'
import { readQuery, readRoutes } from './routes.ts'

/** Activity of another tenant or in the other environment does not change what a member sees. */
export const unaffectedReadParts: readonly MatrixPart[] = [
  {
    name: 'what members are shown',
    routes: readRoutes.map(([operation]) => `dashboard.${operation}` as const),
    async run(fixture) {
      const { otherTenant, victim } = fixture
      const { owner } = otherTenant.team
      await flushAudit(fixture.service.ctx)
      await deleteTenantWideAlerts(fixture.service.ctx)
      // The requests so far are in the request log after this.
      await sleep(2 * recorderBounds.flush_ms)
      const before = await readAll(owner)
      await generateActivity(fixture, victim, ['test', 'live'])
      const after = await readAll(owner)
      await generateActivity(fixture, otherTenant, ['test'])
      const afterOwnTestActivity = await readAll(owner)
      const faults = Array.from(before, ([page, text]) => [
        ...expectEqual(`${page} after activity of another tenant`, after.get(page), text),
        ...(page.endsWith(' live')
          ? expectEqual(`${page} after activity in test`, afterOwnTestActivity.get(page), text)
          : []),
      ])
      return { cells: before.size, faults: faults.flat() }
    },
  },
]

async function readAll(as: TenantMember): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  for (const [operation, { path }] of readRoutes) {
    for (const environment of path.includes('{environment}') ? environments : [undefined]) {
      const query = readQuery(operation)
      const response = await as.call(operation, {
        ...(environment !== undefined && { params: { environment } }),
        ...(query !== undefined && { query }),
      })
      pages.set([operation, environment].filter(Boolean).join(' '), stableResponse(response))
    }
  }
  return pages
}

/**
 * Members that change on every read or asynchronously, the quota count and the changes of a report, which both environments share, and proofs,
 * which end at the newest checkpoint of all tenants.
 */
const volatileMembers = new Set([
  'now',
  'last_seen_at',
  'last_used_at',
  'today',
  'changes',
  'proof',
  'sample',
  'waiting',
])

export function stableResponse({ status, text, body }: ApiResponse): string {
  const shown =
    typeof body === 'object'
      ? JSON.stringify(body, (key, value) => (volatileMembers.has(key) ? undefined : value))
      : text
  return `${status} ${shown}`
}

/** Each member sees all data of their own tenant. */
export const ownDataParts: readonly MatrixPart[] = [
  {
    name: 'members see their own',
    routes: [],
    async run(fixture) {
      const { victim, otherTenant } = fixture
      const faults = [
        ...(await checkOwnData(victim, 'The victim')),
        ...(await checkOwnData(otherTenant, 'The other tenant')),
      ]
      return { cells: 2, faults: [...faults, ...(await expectDuplicatesUnseen(fixture))] }
    },
  },
]

async function checkOwnData(tenant: TenantFixture, name: string): Promise<string[]> {
  const { team, listed, merchant, verifications, invitation } = tenant
  const { owner } = team
  const ids = async (operation: DashboardOperation, environment: string, field = 'id'): Promise<string[]> =>
    (await owner.call(operation, { params: { environment } })).body.data.map(
      (each: Record<string, string>) => each[field],
    )
  const me = (await owner.call('getMe')).body
  const { members, invitations } = (await owner.call('listTeam')).body
  const passkeys = members.map((member: { passkeys: number }) => member.passkeys)
  const created = listed.test.length + listed.live.length + 1
  const inTest = { params: { environment: 'test' } }
  const { today, webhooks } = (await owner.call('getOverview', inTest)).body
  const { total } = (await owner.call('getFigures', inTest)).body
  return [
    ...expectEqual('the verifications', await ids('listVerifications', 'test'), listed.test),
    ...expectEqual('the live verifications', await ids('listVerifications', 'live'), listed.live),
    ...expectEqual('the devices', await ids('listDevices', 'test'), listed.devices),
    ...expectEqual('the live devices', await ids('listDevices', 'live'), listed.live_devices),
    ...expectEqual('the keys', await ids('listKeys', 'test'), listed.keys),
    ...expectEqual('the live keys', await ids('listKeys', 'live'), listed.live_keys),
    ...expectEqual('the links', await ids('listLinks', 'test'), [tenant.link]),
    ...expectEqual('the live links', await ids('listLinks', 'live'), [tenant.live_link]),
    ...expectEqual('the sealing keys', await ids('listSealingKeys', 'test', 'kid'), [tenant.sealing_key]),
    ...expectEqual('the live sealing keys', await ids('listSealingKeys', 'live', 'kid'), [
      tenant.live_sealing_key,
    ]),
    ...expectEqual('the erasure requests', await ids('listErasureRequests', 'test', 'verification_id'), [
      verifications.expired.id,
    ]),
    ...expectEqual('the live erasure requests', await ids('listErasureRequests', 'live', 'verification_id'), [
      tenant.live_verification.id,
    ]),
    ...expectEqual('the clients', await ids('listOpenIdClients', 'test'), [tenant.openid_client]),
    ...expectEqual('the live clients', await ids('listOpenIdClients', 'live'), [tenant.live_openid_client]),
    ...expectEqual('the deliveries', await ids('listDeliveries', 'test', 'verification_id'), [
      verifications.delivered.id,
    ]),
    ...expectEqual('the live deliveries', await ids('listDeliveries', 'live', 'verification_id'), []),
    ...expectEqual(
      'who one is',
      [me.tenant, me.member.id, me.session.others],
      [{ id: merchant.tenant_id, name }, owner.id, 0],
    ),
    ...expectEqual(
      'the passkeys',
      me.passkeys.map(({ id }: { id: string }) => id),
      [owner.passkey.id],
    ),
    ...expectEqual(
      'the team',
      members.map(({ id }: { id: string }) => id),
      Object.values(team).map(({ id }) => id),
    ),
    ...expectEqual("the team's passkeys", passkeys, [1, 1, 1, 1, 1]),
    ...expectEqual(
      'the invitations',
      invitations.map(({ id }: { id: string }) => id),
      [invitation.id],
    ),
    ...expectEqual(
      'what was created',
      [today.created, total.completed, total.failed + total.declined],
      [created, 2, 1],
    ),
    ...expectEqual('the quota', today.daily_quota, daily_quota),
    ...expectEqual('what is to be delivered', [webhooks.attempts, webhooks.waiting], [1, 1]),
  ]
}
