import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Plant } from './plant.ts'

const greeting = 'Vidimus works.'

export type StartCrew = { workers: number; environment: Record<string, string>; plants?: Plant[] }

export type Crew = {
  /** Kills one at random, as a crash would, and starts another in its place without waiting for it. */
  replaceOne(): Promise<void>
} & AsyncDisposable

/** Workers in processes of their own: the real `vidimus work`, with faults planted where a run wants them. */
export async function startCrew({ workers, environment, plants = [] }: StartCrew): Promise<Crew> {
  const program = fileURLToPath(new URL('./plant.ts', import.meta.url))
  const hire = () => {
    const child = spawn(process.execPath, [program, 'work'], {
      env: { PATH: process.env['PATH'], PLANT: JSON.stringify(plants), ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const lines = createInterface(child.stderr)
    lines.on('line', (line) => line === greeting || process.stderr.write(`${line}\n`))
    return { child, ready: Promise.race([once(lines, 'line'), once(child, 'exit')]) }
  }
  const crew = Array.from({ length: workers }, hire)
  await Promise.all(crew.map(({ ready }) => ready))
  return {
    async replaceOne() {
      const place = randomInt(crew.length)
      await end(crew[place]?.child)
      crew[place] = hire()
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(crew.map(({ child }) => end(child)))
    },
  }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
