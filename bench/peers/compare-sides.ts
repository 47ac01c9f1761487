import type { Db } from '../../apps/service/src/engine/db/open.ts'
import { compare, round, type Figure } from '../figure.ts'
import { cpuTimeBetween, readCpuTimes } from './cpu.ts'

/** One side of a comparison in one round: its rate, and the CPU time that one operation takes in its process and in PostgreSQL. */
export type Sample = { per_second: number; process_us: number; postgresql_us: number }

export type Side = () => Promise<Sample>

type Comparison = {
  name: string
  operation: { one: string; many: string }
  rounds: number
  ours: Side
  peers: Record<string, Side>
}

/** Measures our side and the peers in turn, round by round, so that all meet the same disturbances. The median decides. */
export async function compareSides({ name, operation, rounds, ours, peers }: Comparison): Promise<Figure[]> {
  const ourSamples: Sample[] = []
  const peerSamples = Object.entries(peers).map(([peer, side]) => ({ peer, side, samples: [] as Sample[] }))
  for (let turn = 0; turn < rounds; turn += 1) {
    ourSamples.push(report(`${name}.ours`, await ours()))
    for (const { peer, side, samples } of peerSamples) samples.push(report(`${name}.${peer}`, await side()))
  }
  return peerSamples.flatMap(({ peer, samples }) => {
    const figure = (suffix: string, unit: string, read: (sample: Sample) => number) =>
      compare(`${name}.${peer}${suffix}`, unit, {
        values: ourSamples.map(read),
        bare: samples.map(read),
      })
    return [
      figure('', `${operation.many}/s`, ({ per_second }) => per_second),
      figure('.cpu_process', `µs of CPU/${operation.one}`, ({ process_us }) => process_us),
      figure('.cpu_postgresql', `µs of CPU/${operation.one}`, ({ postgresql_us }) => postgresql_us),
    ]
  })
}

/** Shows each sample on standard error, because a run takes minutes. */
function report(side: string, sample: Sample): Sample {
  const rounded = Object.entries(sample).map(([key, value]) => [key, round(value)])
  process.stderr.write(`${side} ${JSON.stringify(Object.fromEntries(rounded))}\n`)
  return sample
}

type Measured = { db: Db; pid: number; run: () => Promise<{ count: number; per_second: number }> }

/** Measures the CPU time of a process and its PostgreSQL backends while `run` lasts. */
export async function measureSide({ db, pid, run }: Measured): Promise<Sample> {
  const before = await readCpuTimes(db, pid)
  const { count, per_second } = await run()
  const { process_us, postgresql_us } = cpuTimeBetween(before, await readCpuTimes(db, pid))
  return { per_second, process_us: process_us / count, postgresql_us: postgresql_us / count }
}
