import type { routes } from '@vidimus/contract'
import type { Caller } from '../../apps/service/test/caller.ts'
import { aside, still } from './aside.ts'
import { expected } from './expected.ts'
import { deviceOf, shared, type Household } from './household.ts'
import type { Unit } from './unit.ts'
import type { World } from './world.ts'

const once = { headers: { 'idempotency-key': shared.idempotency_key } }

type Name = keyof typeof routes
type WithoutId = { [N in Name]: (typeof routes)[N]['path'] extends `${string}{${string}` ? never : N }[Name]

/** What is wrong with a route's answers to a stranger who lives beside the victim. */
type Trial = (world: World) => Promise<string[]>

/**
 * The routes that name nothing in their path: each caller finds its own there, whole, and nothing else. The compiler sees
 * to it that none is missing.
 */
const trials = {
  listVerifications: async ({ victim, stranger }) => [...(await lists(victim)), ...(await lists(stranger))],
  getUsage: async ({ stranger, sleeper }) => {
    const { verifications_created, recent } = (await stranger.merchant.get('/v1/usage')).body
    const [yesterday] = (await sleeper.get('/v1/usage')).body.recent
    return [
      ...expected('the usage', [verifications_created, recent.length], [createdBy(stranger), 1]),
      ...expected("yesterday's usage", yesterday.verifications_created, 1),
    ]
  },
  listDevices: async ({ victim, stranger }) => [...(await devices(victim)), ...(await devices(stranger))],
  registerDevice: async (world) =>
    aside(world, world.stranger.merchant, async (who) => {
      const { status, body } = await who.post('/v1/devices', deviceOf('another'))
      world.stranger.listed.devices.unshift(body.device.id)
      return expected('registering', status, 201)
    }),
  createVerification: async (world) => [
    ...(await aside(world, world.stranger.merchant, async (who) => {
      const { body } = await who.post('/v1/verifications', shared.request, once)
      return expected('a replay', body.id, world.stranger.sessions.pending.id)
    })),
    // The keys, bodies and templates of others mean nothing to whoever comes new.
    ...(await aside(world, world.newcomer, async (who) => {
      const first = await who.post('/v1/verifications', shared.request, once)
      const others = Object.values(world.victim.sessions).map(({ id }) => id)
      const without = await who.post('/v1/verifications', { template: shared.template })
      return [
        ...expected('a first creation', [first.status, others.includes(first.body.id)], [201, false]),
        ...expected("another's template", without.body.error?.code, 'unknown_template'),
        ...expected('the count', (await who.get('/v1/usage')).body.verifications_created, 1),
        ...expected("the newcomer's devices", (await who.get('/v1/devices')).body.data, []),
      ]
    })),
  ],
  enrollDevice: async ({ service }) =>
    still(service, () => refusals(service.anonymous, '/v1/devices/enroll', 'pairing_code')),
  refreshDeviceToken: async ({ service }) =>
    still(service, () => refusals(service.anonymous, '/v1/devices/token', 'refresh_token')),
} satisfies Record<WithoutId, Trial>

export const ownUnits: readonly Unit[] = Object.entries<Trial>(trials).map(([name, trial]) => ({
  name,
  routes: [name as WithoutId], // a key of the trials
  run: async (world) => ({ cells: 1, faults: await trial(world) }),
}))

async function lists({ merchant, live, till, other_till, live_till, listed, sessions }: Household) {
  const ids = async (who: Caller) =>
    (await who.get('/v1/verifications?limit=100')).body.data.map(({ id }: { id: string }) => id)
  return [
    ...expected('the list', await ids(merchant), listed.test),
    ...expected('the live list', await ids(live), listed.live),
    ...expected("the device's list", await ids(till.as), [sessions.made_by_till.id]),
    ...expected("another device's list", await ids(other_till.as), []),
    ...expected("the live device's list", await ids(live_till.as), []),
  ]
}

async function devices({ merchant, live, listed }: Household) {
  const ids = async (who: Caller) =>
    (await who.get('/v1/devices')).body.data.map(({ id }: { id: string }) => id)
  return [
    ...expected('the devices', await ids(merchant), listed.devices),
    ...expected('the live devices', await ids(live), listed.live_devices),
  ]
}

/** Its sessions of both environments, and the one that was erased: quota is not given back. */
function createdBy({ listed }: Household): number {
  return listed.test.length + listed.live.length + 1
}

/** Codes and tokens that nobody has are all alike. */
async function refusals(anyone: Caller, path: string, field: string): Promise<string[]> {
  const answers = new Set<string>()
  for (const value of ['VD-0000-0000', 'x', 'vdr_0', '0'.repeat(32)]) {
    const { status, text } = await anyone.post(path, { [field]: value })
    answers.add(`${status} ${text}`)
  }
  return expected('answers to what nobody has', answers.size, 1)
}
