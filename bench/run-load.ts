import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ServiceProcesses } from '../apps/service/test/processes/processes.ts'
import { median, summarize, type Figure } from './figure.ts'
import type { Load, LoadResult } from './load.ts'

const roundsAtHalfRate = 3
const maxTries = 4

/**
 * Runs the load generator in a separate process. A round in which the service refused requests because it was overloaded is
 * repeated: a disk that stalls for seconds has that effect. Any other status that is not expected is an error.
 */
export async function load(what: Load): Promise<LoadResult> {
  return loadAnew(async () => what)
}

/** The same for requests that cannot be repeated, such as erasures: each round gets its own. */
export async function loadAnew(prepare: () => Promise<Load>): Promise<LoadResult> {
  for (let tries = 1; ; tries += 1) {
    const result: LoadResult = JSON.parse(
      await output(
        process.execPath,
        [fileURLToPath(new URL('./load-process.ts', import.meta.url))],
        JSON.stringify(await prepare()),
      ),
    )
    const statuses = Object.keys(result.other)
    if (statuses.length === 0) return result
    if (statuses.join() !== '503' || tries === maxTries)
      throw new Error(`some requests failed: ${JSON.stringify(result.other)}`)
    process.stderr.write(`repeated a round with ${result.other['503']} refused requests\n`)
  }
}

/** Runs a load at half of its highest rate, which is the median of `rates`. */
export async function repeatAtHalfRate(what: Load, rates: readonly number[]): Promise<LoadResult[]> {
  const results: LoadResult[] = []
  for (let round = 0; round < roundsAtHalfRate; round += 1)
    results.push(await load({ ...what, per_second: median(rates) / 2 }))
  return results
}

/** The 99th percentile of the time to a response, at half of the highest rate. */
export function summarizeTail(name: string, results: readonly LoadResult[]): Figure {
  return summarize(
    `${name}.p99`,
    'ms at half rate',
    results.map(({ p99_ms }) => p99_ms),
  )
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
