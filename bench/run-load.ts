import { type ChildProcess, fork, spawn } from 'node:child_process'
import type { ServiceProcesses } from '../apps/service/test/processes/processes.ts'
import { compare, median, type Figure } from './figure.ts'
import type { Load, LoadResult } from './load.ts'

const roundsAtHalfRate = 3
const maxTries = 4

type Finished = { number: number; result?: LoadResult; error?: string }

let generator: ChildProcess | undefined
let loads = 0

/**
 * Has the load generator, one process for all loads of the bench, run a load. A round in which the service refused requests
 * because it was overloaded is repeated: a disk that stalls for seconds has that effect. Any other status that is not expected is an error.
 */
export async function load(what: Load): Promise<LoadResult> {
  return loadAnew(async () => what)
}

/** The same for requests that cannot be repeated, such as erasures: each round gets its own. */
export async function loadAnew(prepare: () => Promise<Load>): Promise<LoadResult> {
  for (let tries = 1; ; tries += 1) {
    const result = await generate(await prepare())
    const statuses = Object.keys(result.other)
    if (statuses.length === 0) return result
    if (statuses.join() !== '503' || tries === maxTries)
      throw new Error(`some requests failed: ${JSON.stringify(result.other)}`)
    process.stderr.write(`repeated a round with ${result.other['503']} refused requests\n`)
  }
}

function generate(what: Load): Promise<LoadResult> {
  const number = (loads += 1)
  const child = (generator ??= fork(new URL('./load-process.ts', import.meta.url)).setMaxListeners(0))
  return new Promise((resolve, reject) => {
    const onMessage = (finished: Finished) => {
      if (finished.number !== number) return
      end()
      if (finished.result === undefined) reject(new Error(finished.error))
      else resolve(finished.result)
    }
    const onExit = (code: number | null) => {
      end()
      reject(new Error(`the load generator exited with ${code}`))
    }
    const end = () => {
      child.off('message', onMessage).off('exit', onExit)
      // It must not keep the bench running between loads, and ends with it.
      child.unref()
      child.channel?.unref()
    }
    child.ref()
    child.channel?.ref()
    child.on('message', onMessage).once('exit', onExit)
    child.send({ number, what })
  })
}

type Tails = {
  /** Called for each round, because some requests cannot be repeated. */
  prepare: () => Promise<Load>
  /** The rates that were reached; their median is the highest rate. */
  rates: readonly number[]
  /** What the bare engine needs at a rate. */
  bare_ms: (per_second: number) => Promise<number>
}

/** The 99th percentile of the time to a response at half of the highest rate, beside that of the bare engine at the same rate. */
export async function compareTails(name: string, { prepare, rates, bare_ms }: Tails): Promise<Figure> {
  const per_second = median(rates) / 2
  const tails = { values: [] as number[], bare: [] as number[] }
  for (let round = 0; round < roundsAtHalfRate; round += 1) {
    tails.values.push((await loadAnew(async () => ({ ...(await prepare()), per_second }))).p99_ms)
    tails.bare.push(await bare_ms(per_second))
  }
  return compare(`${name}.p99`, 'ms at half rate', tails)
}

/** The port of the first process. */
export function portOf({ processes }: ServiceProcesses): number {
  return Number(new URL(processes[0]?.address ?? '').port)
}

/** Runs a program and returns its standard output. */
export async function output(program: string, args: string[], input = ''): Promise<string> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(input)
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`${program} exited with ${String(code)}`)
  return Buffer.concat(chunks).toString()
}
