import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { creationBody } from '../create.ts'
import { median, round, summarize, type Bench, type Figure } from '../figure.ts'
import { sendLoad, type Load } from '../load.ts'
import { measureSide, type Sample } from '../peers/compare-sides.ts'
import { portOf } from '../run-load.ts'
import { prepareResponses } from '../wallet.ts'
import { openSide, sideNames, type OpenSide, type SideName } from './sides.ts'
import { startCollector } from './start-collector.ts'

const installations = 2
/** Short ones, so that what is compared is a few seconds apart: a shared machine is disturbed for longer than that. */
const rounds = { creations: { count: 400, rounds: 24 }, responses: { count: 60, rounds: 10 } }
const warmUpRounds = 4
/** Time for the last export of a round, which belongs to its CPU time. */
const exported_ms = 200

/**
 * What traces cost a `serve` process: off, at 1 % and at 100 %. The sides take turns, and every second round begins with the last one. CPU time does not depend on what else the machine does, as far as its caches allow.
 */
export const benches: Record<string, Bench> = {
  'traces.creations': () => measure('traces.creations', sendCreations, rounds.creations.rounds),
  'traces.responses': () => measure('traces.responses', prepareToRespond, rounds.responses.rounds),
}

/** Prepares a round, and returns the load of the round itself. */
type PrepareRound = (side: OpenSide) => Promise<Load>

const sendCreations: PrepareRound = async ({ service, merchant }) => ({
  port: portOf(service),
  connections: 32,
  seconds: 300,
  requests: rounds.creations.count,
  method: 'POST',
  paths: ['/v1/verifications'],
  keys: [merchant.key],
  body: creationBody,
  idempotent: true,
  expect: 201,
})

const prepareToRespond: PrepareRound = ({ service, merchant }) =>
  prepareResponses(service, merchant, rounds.responses.count)

async function measure(name: string, prepare: PrepareRound, count: number): Promise<Figure[]> {
  const samples = new Map<SideName, Sample[]>(sideNames.map((side) => [side, []]))
  await using collector = await startCollector()
  // A process keeps how its code was compiled and where its memory is, so that one of each would not be enough.
  for (let installation = 0; installation < installations; installation += 1)
    await addRounds(name, prepare, { samples, collector_url: collector.url, rounds: count })
  const { spans, exports } = await collector.report()
  return [
    ...compareSides(name, samples, { side: 'off_again', with: 'off' }),
    ...compareSides(name, samples, { side: 'one_percent', with: 'off' }),
    ...compareSides(name, samples, { side: 'all', with: 'off' }),
    { name: `${name}.exported`, value: spans, unit: `spans in ${exports} exports` },
  ]
}

type Measurement = { samples: Map<SideName, Sample[]>; collector_url: string; rounds: number }

async function addRounds(name: string, prepare: PrepareRound, measurement: Measurement): Promise<void> {
  const { samples, collector_url } = measurement
  await using stack = new AsyncDisposableStack()
  const sides = new Map<SideName, OpenSide>()
  for (const side of sideNames) sides.set(side, stack.use(await openSide(side, collector_url)))
  // The first rounds warm up connections, plans and the compiler.
  for (let turn = -warmUpRounds; turn < measurement.rounds; turn += 1) {
    const order = turn % 2 === 0 ? [...sides] : [...sides].toReversed()
    for (const [sideName, side] of order) {
      const sample = await runRound(side, prepare)
      process.stderr.write(`${name} ${turn} ${sideName} ${JSON.stringify(sample)}\n`)
      if (turn >= 0) samples.get(sideName)?.push(sample)
    }
    if (turn === -1) for (const { service } of sides.values()) await service.ctx.db.execute(sql`analyze`)
  }
}

async function runRound(side: OpenSide, prepare: PrepareRound): Promise<Sample> {
  const prepared = await prepare(side)
  await sleep(exported_ms)
  return measureSide({
    db: side.service.ctx.db,
    pid: side.pid,
    async run() {
      const { count, rate, other } = await sendLoad(prepared)
      if (Object.keys(other).length > 0) throw new Error(`some requests failed: ${JSON.stringify(other)}`)
      await sleep(exported_ms)
      return { count, per_second: rate }
    },
  })
}

type Compared = { side: SideName; with: SideName }

function compareSides(name: string, samples: Map<SideName, Sample[]>, compared: Compared): Figure[] {
  const [values, bare] = [samples.get(compared.side) ?? [], samples.get(compared.with) ?? []]
  const figure = (what: string, unit: string, read: (sample: Sample) => number): Figure => {
    // Each round with the round beside it, so that a disturbance of minutes is in both.
    const ratios = values.flatMap((sample, index) => {
      const other = bare[index]
      return other === undefined ? [] : [read(sample) / read(other)]
    })
    return {
      ...summarize(`${name}.${compared.side}.${what}`, unit, values.map(read)),
      bare: round(median(bare.map(read))),
      ratio: round(median(ratios)),
      ratio_spread: [round(Math.min(...ratios)), round(Math.max(...ratios))],
    }
  }
  return [
    figure('cpu', `µs of CPU of the process, compared with ${compared.with}`, ({ process_us }) => process_us),
    figure('rate', `1/s, compared with ${compared.with}`, ({ per_second }) => per_second),
  ]
}
