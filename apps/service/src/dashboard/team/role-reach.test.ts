import {
  dashboardRoutes,
  permissions,
  roles,
  type DashboardRoute,
  type Permission,
  type Role,
} from '@vidimus/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attempts, givesNoAccess } from '../../../test/access/attempts.ts'
import { here, startAccessFixture, type AccessFixture } from '../../../test/access/fixture.ts'
import { readAuditLog } from '../../../test/audit/audit.ts'

let fixture: AccessFixture
beforeAll(async () => {
  fixture = await startAccessFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

/** The table as it is meant to be, for the test that changes what the service uses. */
const intended: Record<string, readonly Role[]> = structuredClone(permissions)
const lacking = (role: Role) => Object.keys(intended).filter((name) => !intended[name]?.includes(role))

/** Which rights a role reaches that it lacks, by what it did. */
async function findExcess(role: Role, names: readonly string[]): Promise<string[]> {
  const excess: string[] = []
  for (const name of names) {
    const gained = (await attempts[name]?.run(fixture, await fixture.join(role))) ?? []
    for (const right of new Set<Permission>(gained))
      if (lacking(role).includes(right)) excess.push(`${role}: ${name} gives ${right}`)
  }
  return excess
}

const limitedRoles = roles.filter((role) => lacking(role).length > 0)

test.each(limitedRoles)(
  '[ACCESS-1] as %s, nothing that the role may make or take gives a right that the role lacks',
  async (role) => {
    expect(await findExcess(role, Object.keys(attempts))).toEqual([])
  },
  60_000,
)

test('[ACCESS-1] a service that lets support give devices any template is noticed', async () => {
  const table = permissions.read_claims as unknown as Role[]
  table.push('support')
  try {
    expect(await findExcess('support', ['make device', 'read everything'])).toEqual([
      'support: make device gives read_claims',
      'support: read everything gives read_claims',
    ])
  } finally {
    table.pop()
  }
})

test('[ACCESS-1] every attempt works for an owner, and every operation that creates or changes something is tried or gives no access', async () => {
  const gained = new Set<Permission>()
  const without: string[] = []
  for (const attempt of Object.values(attempts)) {
    const rights = await attempt.run(fixture, await fixture.join('owner'))
    for (const right of rights) gained.add(right)
    if (rights.length === 0) without.push(...attempt.uses)
  }
  expect(without).toEqual(attempts['send events']?.uses)
  expect([...gained]).toEqual(expect.arrayContaining(['create_verifications', 'read_claims', 'read_secret']))
  const tried = Object.values(attempts).flatMap(({ uses }) => uses) as string[]
  const changing = Object.entries<DashboardRoute>(dashboardRoutes).filter(
    ([, { method, may }]) => ['POST', 'PUT'].includes(method) && may !== 'anyone' && may !== 'signed_in',
  )
  const missing = changing.filter(([name]) => !tried.includes(name) && !(name in givesNoAccess))
  expect(missing.map(([name]) => name)).toEqual([])
}, 60_000)

test('what a receiver echoed is shown on demand to those who may read claims, and reading it is recorded', async () => {
  const { canary, id, owner, merchant } = fixture
  const params = { ...here, id }
  const query = { attempt: '1' }
  for (const role of roles) {
    const member = await fixture.join(role)
    const shown = await member.call('getDelivery', { params: { ...params, attempt: '1' } })
    expect([role, shown.status, shown.text.includes(canary)]).toEqual([role, 200, false])
    const revealed = await member.call('revealPayload', { params, query })
    expect([role, revealed.status]).toEqual([role, intended['read_claims']?.includes(role) ? 200 : 403])
  }
  const countReveals = async () =>
    (await readAuditLog(fixture.ctx, merchant.tenant_id)).filter(
      ({ action, subject }) => action === 'verification.claims_revealed' && subject === id,
    ).length
  const before = await countReveals()
  expect((await owner.call('revealPayload', { params, query })).body.response_body).toContain(canary)
  expect(await countReveals()).toBe(before + 1)
})
