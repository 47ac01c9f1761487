import { environments, type DashboardOperation } from '@vidimus/contract'
import { flushAudit } from '../../../apps/service/src/audit/flush.ts'
import type { ApiResponse } from '../../../apps/service/test/caller.ts'
import { bustle } from '../bustle.ts'
import { expected } from '../expected.ts'
import { daily_quota, type Household, type Person } from '../household.ts'
import type { Unit } from '../unit.ts'
import { doublesUnseen } from './people.ts'
import { reads } from './routes.ts'

/** Whatever another tenant does, and whatever happens in the other environment, what a member is shown stays the same. */
export const readUnits: readonly Unit[] = [
  {
    name: 'what members are shown',
    routes: reads.map(([operation]) => `dashboard.${operation}` as const),
    async run(world) {
      const { stranger, victim } = world
      const { owner } = stranger.team
      await flushAudit(world.service.ctx)
      const before = await readAll(owner)
      await bustle(world, victim, ['test', 'live'])
      const after = await readAll(owner)
      await bustle(world, stranger, ['test'])
      const elsewhere = await readAll(owner)
      const faults = Array.from(before, ([page, text]) => [
        ...expected(`${page} beside others`, after.get(page), text),
        ...(page.endsWith(' live') ? expected(`${page} beside test`, elsewhere.get(page), text) : []),
      ])
      return { cells: before.size, faults: faults.flat() }
    },
  },
]

async function readAll(as: Person): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  for (const [operation, { path }] of reads) {
    for (const environment of path.includes('{environment}') ? environments : [undefined]) {
      const answer = await as.call(operation, environment === undefined ? {} : { params: { environment } })
      pages.set([operation, environment].filter(Boolean).join(' '), stillOf(answer))
    }
  }
  return pages
}

/** Moments of reading, what is noted on the side, and the count of a quota that both environments share. */
const moving = new Set(['now', 'last_seen_at', 'last_used_at', 'today'])

function stillOf({ status, text, body }: ApiResponse): string {
  const shown =
    typeof body === 'object'
      ? JSON.stringify(body, (key, value) => (moving.has(key) ? undefined : value))
      : text
  return `${status} ${shown}`
}

/** Each member finds its own tenant's there, whole. */
export const seeUnits: readonly Unit[] = [
  {
    name: 'members see their own',
    routes: [],
    async run(world) {
      const { victim, stranger } = world
      const faults = [...(await seesOwn(victim, 'The victim')), ...(await seesOwn(stranger, 'The stranger'))]
      return { cells: 2, faults: [...faults, ...(await doublesUnseen(world))] }
    },
  },
]

async function seesOwn(household: Household, name: string): Promise<string[]> {
  const { team, listed, merchant, sessions, invitation } = household
  const { owner } = team
  const ids = async (operation: DashboardOperation, environment: string, field = 'id'): Promise<string[]> =>
    (await owner.call(operation, { params: { environment } })).body.data.map(
      (each: Record<string, string>) => each[field],
    )
  const me = (await owner.call('getMe')).body
  const { members, invitations } = (await owner.call('listTeam')).body
  const passkeys = members.map((member: { passkeys: number }) => member.passkeys)
  const created = listed.test.length + listed.live.length + 1
  const { today, outcomes, webhooks } = (await owner.call('getOverview', { params: { environment: 'test' } }))
    .body
  return [
    ...expected('the verifications', await ids('listVerifications', 'test'), listed.test),
    ...expected('the live verifications', await ids('listVerifications', 'live'), listed.live),
    ...expected('the devices', await ids('listDevices', 'test'), listed.devices),
    ...expected('the live devices', await ids('listDevices', 'live'), listed.live_devices),
    ...expected('the keys', await ids('listKeys', 'test'), listed.keys),
    ...expected('the live keys', await ids('listKeys', 'live'), listed.live_keys),
    ...expected('the deliveries', await ids('listDeliveries', 'test', 'verification_id'), [sessions.told.id]),
    ...expected('the live deliveries', await ids('listDeliveries', 'live', 'verification_id'), []),
    ...expected(
      'who one is',
      [me.tenant, me.member.id, me.session.others],
      [{ id: merchant.tenant_id, name }, owner.id, 0],
    ),
    ...expected(
      'the passkeys',
      me.passkeys.map(({ id }: { id: string }) => id),
      [owner.passkey.id],
    ),
    ...expected(
      'the team',
      members.map(({ id }: { id: string }) => id),
      Object.values(team).map(({ id }) => id),
    ),
    ...expected("the team's passkeys", passkeys, [1, 1, 1, 1, 1]),
    ...expected(
      'the invitations',
      invitations.map(({ id }: { id: string }) => id),
      [invitation.id],
    ),
    ...expected('what was created', [today.created, outcomes.completed, outcomes.failed], [created, 2, 1]),
    ...expected('the quota', today.daily_quota, daily_quota),
    ...expected('what is to be delivered', [webhooks.attempts, webhooks.waiting], [1, 1]),
  ]
}
