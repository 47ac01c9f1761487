import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../apps/service/src/platform/db/sql.ts'
import { caller } from '../apps/service/test/caller.ts'
import { startProcesses, type ServiceProcesses } from '../apps/service/test/processes/processes.ts'
import type { Plant } from './plant.ts'
import type { Chaos, Ledger } from './run.ts'

const processes = 3
const fullRounds = 1000
const claims = 32
const rotations = 20
/** Rounds that run beside each other. */
const atOnce = 4

const till = { name: 'Till 7', allowed_templates: ['age_over_18'] }

/** 32 simultaneous claims of one pairing code: one pairs, and the others read the very answer of a wrong code. */
export const enrol: Chaos = ({ n = fullRounds }) => enrolments('devices.enrol', n, [])

/** The same, where a claim does not ask whether the code was claimed before. */
export const enrolWithPlantedFault: Chaos = ({ n = fullRounds }) =>
  enrolments('devices.enrol.planted', n, [
    plant(
      "where pairing_hash = ${pairingHash} and status = 'pending'",
      'where pairing_hash = ${pairingHash}',
    ),
  ])

/** 2 to 32 simultaneous uses of one refresh token: at most one pair is issued, and no token of the device works afterwards. */
export const refresh: Chaos = ({ n = fullRounds }) => exchanges('devices.refresh', n, [])

/** The same, where any generation may be spent. */
export const refreshWithPlantedFault: Chaos = ({ n = fullRounds }) =>
  exchanges('devices.refresh.planted', n, [
    plant("and status = 'active' and generation = ${generation}", "and status = 'active'"),
  ])

/** A revocation while the device refreshes and reads: after the revocation's 200 no token of the device works anywhere. */
export const revoke: Chaos = ({ n = fullRounds }) => revocations('devices.revoke', n, [])

/** The same, where a refresh does not ask whether the device is still active, and makes it so. */
export const revokeWithPlantedFault: Chaos = ({ n = fullRounds }) =>
  revocations('devices.revoke.planted', n, [
    plant('set generation = generation + 1,', "set generation = generation + 1, status = 'active',"),
    plant("and status = 'active' and generation = ${generation}", 'and generation = ${generation}'),
  ])

/** After 20 rotations each of the earlier tokens comes back, on a device of its own: each revokes it. */
export const replay: Chaos = ({ n = rotations }) => replays('devices.replay', n, [])

/** The same, where only the token before the current one counts as spent. */
export const replayWithPlantedFault: Chaos = ({ n = rotations }) =>
  replays('devices.replay.planted', n, [
    plant('and generation > ${generation}', 'and generation = ${generation} + 1'),
  ])

async function enrolments(name: string, rounds: number, plants: Plant[]): Promise<Ledger> {
  await using world = await openWorld(plants)
  const wrong = (await world.post(0, '/v1/devices/enroll', { pairing_code: 'VD-0000-0000' })).text
  const ledger = { name, faults: 0, acknowledged: 0, lost: 0, duplicated: 0 }
  await inTurns(rounds, async () => {
    const { pairing_code } = await world.register()
    const answers = await Promise.all(
      Array.from({ length: claims }, (_, at) => world.post(at, '/v1/devices/enroll', { pairing_code })),
    )
    const winners = answers.filter(({ status }) => status === 200).length
    const losers = answers.filter(({ status, text }) => status === 400 && text === wrong).length
    ledger.faults += losers
    ledger.acknowledged += Math.min(winners, 1)
    ledger.lost += claims - winners - losers + (winners === 0 ? 1 : 0)
    ledger.duplicated += Math.max(winners - 1, 0)
  })
  return ledger
}

async function exchanges(name: string, rounds: number, plants: Plant[]): Promise<Ledger> {
  await using world = await openWorld(plants)
  const ledger = { name, faults: 0, acknowledged: 0, lost: 0, duplicated: 0 }
  await inTurns(rounds, async (round) => {
    const paired = await world.pair()
    const uses = 2 + ((round * 13) % 31)
    const answers = await Promise.all(
      Array.from({ length: uses }, (_, at) =>
        world.post(at, '/v1/devices/token', { refresh_token: paired.refresh_token }),
      ),
    )
    const issued = answers.flatMap(({ status, body }) => (status === 200 ? [body] : []))
    const refused = answers.filter(({ status }) => status === 400).length
    ledger.faults += refused
    ledger.acknowledged += issued.length
    ledger.lost += (await world.isRevoked(paired.device.id)) ? 0 : 1
    ledger.lost += uses - issued.length - refused + (await world.stillWorking([paired, ...issued]))
    ledger.duplicated += Math.max(issued.length - 1, 0)
  })
  return ledger
}

async function revocations(name: string, rounds: number, plants: Plant[]): Promise<Ledger> {
  await using world = await openWorld(plants)
  const ledger = { name, faults: 0, acknowledged: 0, lost: 0, duplicated: 0 }
  await inTurns(rounds, async () => {
    const paired = await world.pair()
    const { id } = paired.device
    const soon = () => sleep(Math.random() * 12)
    const [refreshed, revoked] = await Promise.all([
      soon().then(() => world.post(1, '/v1/devices/token', { refresh_token: paired.refresh_token })),
      soon().then(() => world.merchant.delete(`/v1/devices/${id}`)),
      soon().then(() => world.use(2, paired.access_token)),
    ])
    if (refreshed.status === 200) ledger.faults += 1
    ledger.acknowledged += 1
    ledger.lost += revoked.status === 200 && revoked.body.status === 'revoked' ? 0 : 1
    ledger.lost += refreshed.status === 200 || refreshed.status === 400 ? 0 : 1
    ledger.lost += (await world.isRevoked(id)) ? 0 : 1
    ledger.lost += await world.stillWorking([paired, ...(refreshed.status === 200 ? [refreshed.body] : [])])
  })
  process.stderr.write(`${name}: the refresh came first in ${ledger.faults} of ${rounds} rounds\n`)
  return ledger
}

async function replays(name: string, generations: number, plants: Plant[]): Promise<Ledger> {
  await using world = await openWorld(plants)
  const ledger = { name, faults: 0, acknowledged: 0, lost: 0, duplicated: 0 }
  await inTurns(generations, async (generation) => {
    const issued = [await world.pair()]
    for (let turn = 0; turn < generations; turn += 1) {
      const { status, body } = await world.post(turn, '/v1/devices/token', {
        refresh_token: issued.at(-1)?.refresh_token,
      })
      if (status !== 200) ledger.lost += 1
      issued.push(body)
    }
    const { status } = await world.post(generation, '/v1/devices/token', {
      refresh_token: issued[generation]?.refresh_token,
    })
    ledger.faults += 1
    ledger.acknowledged += status === 400 ? 1 : 0
    ledger.lost += (status === 400 ? 0 : 1) + (await world.stillWorking([issued[0], issued.at(-1)]))
  })
  return ledger
}

// oxlint-disable-next-line typescript/no-explicit-any -- the body of an answer, which the run judges
type Pair = any

type World = ServiceProcesses & Awaited<ReturnType<typeof worldOf>>

/** Three processes on one database, with faults planted in the store of the devices or none. */
async function openWorld(plants: Plant[]): Promise<World> {
  const service = await startProcesses(processes, {
    run: fileURLToPath(new URL('./plant.ts', import.meta.url)),
    environment: { PLANT: JSON.stringify(plants) },
  })
  return { ...service, ...(await worldOf(service)) }
}

async function worldOf(service: ServiceProcesses) {
  const merchant = await service.tenant()
  const addressOf = (at: number) => service.processes[at % processes]?.address ?? ''
  const post = (at: number, path: string, body: object) => caller(addressOf(at)).post(path, body)
  const use = (at: number, token: string) => caller(addressOf(at), token).get('/v1/verifications?limit=1')
  const register = async (): Promise<Pair> => (await merchant.post('/v1/devices', till)).body
  return {
    merchant,
    post,
    use,
    register,
    async pair(): Promise<Pair> {
      const { pairing_code } = await register()
      return (await post(0, '/v1/devices/enroll', { pairing_code })).body
    },
    async isRevoked(id: string): Promise<boolean> {
      const rows = await service.ctx.db.query(
        sql`select 1 as one from devices where id = ${id} and status = 'revoked'`,
      )
      return rows.length === 1
    },
    /** How many tokens of these pairs some process still takes. Reading comes first, because a spent refresh token revokes. */
    async stillWorking(pairs: Pair[]): Promise<number> {
      const reads = await Promise.all(
        pairs.flatMap(({ access_token }) => [0, 1, 2].map((at) => use(at, access_token))),
      )
      const refreshes = await Promise.all(
        pairs.map(({ refresh_token }, at) => post(at, '/v1/devices/token', { refresh_token })),
      )
      return (
        reads.filter(({ status }) => status !== 401).length +
        refreshes.filter(({ status }) => status !== 400).length
      )
    },
  }
}

function plant(find: string, put: string): Plant {
  return { file: '/devices/store.ts', find, put }
}

async function inTurns(rounds: number, once: (round: number) => Promise<void>): Promise<void> {
  let begun = 0
  await Promise.all(
    Array.from({ length: Math.min(atOnce, rounds) }, async () => {
      while (begun < rounds) {
        const round = begun
        begun += 1
        await once(round)
      }
    }),
  )
}
