import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { caller } from '../../apps/service/test/caller.ts'
import { startProcesses, type ServiceProcesses } from '../../apps/service/test/processes/processes.ts'
import { sourceFaults } from '../../apps/service/test/injected-faults.ts'
import type { InjectedFault } from '../../apps/service/test/processes/inject-faults.ts'
import type { ChaosRun, ChaosReport } from '../chaos-run.ts'
import { runConcurrently } from '../run-concurrently.ts'

const processes = 3
const fullRounds = 1000
const claims = 32
const rotations = 20
/** Rounds that run at the same time. */
const concurrency = 4

const till = { name: 'Till 7', allowed_templates: ['age_over_18'] }

/** 32 simultaneous claims of one pairing code: one pairs, and the others get the same response as for a wrong code. */
export const enrolRaces: ChaosRun = ({ n = fullRounds }) => runEnrolments('devices.enrol', n, [])

/** The same, with a claim that does not check whether the code was claimed before. */
export const enrolWithInjectedFault: ChaosRun = ({ n = fullRounds }) =>
  runEnrolments('devices.enrol.injected', n, sourceFaults.pairedTwice)

/** 2 to 32 simultaneous uses of one refresh token: at most one token pair is issued, and afterwards no token of the device works. */
export const refreshRaces: ChaosRun = ({ n = fullRounds }) => runExchanges('devices.refresh', n, [])

/** The same, with a store that accepts a refresh token of any generation. */
export const refreshWithInjectedFault: ChaosRun = ({ n = fullRounds }) =>
  runExchanges('devices.refresh.injected', n, sourceFaults.anyGeneration)

/** A revocation while the device refreshes and reads: once the revocation has returned 200, no token of the device works anywhere. */
export const revokeRaces: ChaosRun = ({ n = fullRounds }) => runRevocations('devices.revoke', n, [])

/** The same, with a refresh that does not check that the device is active and reactivates it. */
export const revokeWithInjectedFault: ChaosRun = ({ n = fullRounds }) =>
  runRevocations('devices.revoke.injected', n, sourceFaults.revokedDeviceRefreshed)

/** After 20 rotations each of the earlier refresh tokens is replayed, each on a device of its own: each replay revokes its device. */
export const replayedTokens: ChaosRun = ({ n = rotations }) => runReplays('devices.replay', n, [])

/** The same, with a store that treats only the previous token as spent. */
export const replayWithInjectedFault: ChaosRun = ({ n = rotations }) =>
  runReplays('devices.replay.injected', n, sourceFaults.oldReplayIgnored)

async function runEnrolments(
  name: string,
  rounds: number,
  injectedFaults: InjectedFault[],
): Promise<ChaosReport> {
  await using fixture = await openFixture(injectedFaults)
  const refusal = (await fixture.post(0, '/v1/devices/enroll', { pairing_code: 'VD-0000-0000' })).text
  const report = { name, faults: 0, acknowledged: 0, lost: 0, duplicated: 0 }
  await runConcurrently(rounds, concurrency, async () => {
    const { pairing_code } = await fixture.register()
    const responses = await Promise.all(
      Array.from({ length: claims }, (_, at) => fixture.post(at, '/v1/devices/enroll', { pairing_code })),
    )
    const winners = responses.filter(({ status }) => status === 200).length
    const losers = responses.filter(({ status, text }) => status === 400 && text === refusal).length
    report.faults += losers
    report.acknowledged += Math.min(winners, 1)
    report.lost += claims - winners - losers + (winners === 0 ? 1 : 0)
    report.duplicated += Math.max(winners - 1, 0)
  })
  return report
}

async function runExchanges(
  name: string,
  rounds: number,
  injectedFaults: InjectedFault[],
): Promise<ChaosReport> {
  await using fixture = await openFixture(injectedFaults)
  const report = { name, faults: 0, acknowledged: 0, lost: 0, duplicated: 0 }
  await runConcurrently(rounds, concurrency, async (round) => {
    const paired = await fixture.enrolDevice()
    const uses = 2 + ((round * 13) % 31)
    const responses = await Promise.all(
      Array.from({ length: uses }, (_, at) =>
        fixture.post(at, '/v1/devices/token', { refresh_token: paired.refresh_token }),
      ),
    )
    const issued = responses.flatMap(({ status, body }) => (status === 200 ? [body] : []))
    const refused = responses.filter(({ status }) => status === 400).length
    report.faults += refused
    report.acknowledged += issued.length
    report.lost += (await fixture.isRevoked(paired.device.id)) ? 0 : 1
    report.lost += uses - issued.length - refused + (await fixture.countWorkingTokens([paired, ...issued]))
    report.duplicated += Math.max(issued.length - 1, 0)
  })
  return report
}

async function runRevocations(
  name: string,
  rounds: number,
  injectedFaults: InjectedFault[],
): Promise<ChaosReport> {
  await using fixture = await openFixture(injectedFaults)
  const report = { name, faults: 0, acknowledged: 0, lost: 0, duplicated: 0 }
  await runConcurrently(rounds, concurrency, async () => {
    const paired = await fixture.enrolDevice()
    const { id } = paired.device
    const afterRandomDelay = () => sleep(Math.random() * 12)
    const [refreshed, revoked] = await Promise.all([
      afterRandomDelay().then(() =>
        fixture.post(1, '/v1/devices/token', { refresh_token: paired.refresh_token }),
      ),
      afterRandomDelay().then(() => fixture.merchant.delete(`/v1/devices/${id}`)),
      afterRandomDelay().then(() => fixture.use(2, paired.access_token)),
    ])
    if (refreshed.status === 200) report.faults += 1
    report.acknowledged += 1
    report.lost += revoked.status === 200 && revoked.body.status === 'revoked' ? 0 : 1
    report.lost += refreshed.status === 200 || refreshed.status === 400 ? 0 : 1
    report.lost += (await fixture.isRevoked(id)) ? 0 : 1
    report.lost += await fixture.countWorkingTokens([
      paired,
      ...(refreshed.status === 200 ? [refreshed.body] : []),
    ])
  })
  process.stderr.write(`${name}: the refresh won in ${report.faults} of ${rounds} rounds\n`)
  return report
}

async function runReplays(
  name: string,
  generations: number,
  injectedFaults: InjectedFault[],
): Promise<ChaosReport> {
  await using fixture = await openFixture(injectedFaults)
  const report = { name, faults: 0, acknowledged: 0, lost: 0, duplicated: 0 }
  await runConcurrently(generations, concurrency, async (generation) => {
    const issued = [await fixture.enrolDevice()]
    for (let turn = 0; turn < generations; turn += 1) {
      const { status, body } = await fixture.post(turn, '/v1/devices/token', {
        refresh_token: issued.at(-1)?.refresh_token,
      })
      if (status !== 200) report.lost += 1
      issued.push(body)
    }
    const { status } = await fixture.post(generation, '/v1/devices/token', {
      refresh_token: issued[generation]?.refresh_token,
    })
    report.faults += 1
    report.acknowledged += status === 400 ? 1 : 0
    report.lost += (status === 400 ? 0 : 1) + (await fixture.countWorkingTokens([issued[0], issued.at(-1)]))
  })
  return report
}

// oxlint-disable-next-line typescript/no-explicit-any -- a response body that the run itself checks
type TokenPair = any

type DeviceFixture = ServiceProcesses & Awaited<ReturnType<typeof createFixture>>

/** Three processes on one database, with the injected faults, if any. */
async function openFixture(injectedFaults: InjectedFault[]): Promise<DeviceFixture> {
  const service = await startProcesses(processes, {
    injectedFaults,
  })
  return { ...service, ...(await createFixture(service)) }
}

async function createFixture(service: ServiceProcesses) {
  const merchant = await service.tenant()
  const processAddress = (at: number) => service.processes[at % processes]?.address ?? ''
  const post = (at: number, path: string, body: object) => caller(processAddress(at)).post(path, body)
  const use = (at: number, token: string) =>
    caller(processAddress(at), token).get('/v1/verifications?limit=1')
  const register = async (): Promise<TokenPair> => (await merchant.post('/v1/devices', till)).body
  return {
    merchant,
    post,
    use,
    register,
    async enrolDevice(): Promise<TokenPair> {
      const { pairing_code } = await register()
      return (await post(0, '/v1/devices/enroll', { pairing_code })).body
    },
    async isRevoked(id: string): Promise<boolean> {
      const rows = await service.ctx.db.query(
        sql`select 1 as one from devices where id = ${id} and status = 'revoked'`,
      )
      return rows.length === 1
    },
    /** Counts the tokens that some process still accepts. Access tokens come first, because a spent refresh token revokes the device. */
    async countWorkingTokens(pairs: TokenPair[]): Promise<number> {
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
