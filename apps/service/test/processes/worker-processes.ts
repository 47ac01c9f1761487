import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { inheritedVariables } from './inherited-variables.ts'
import type { InjectedFault } from './inject-faults.ts'
import { packedProgram } from './packed-program.ts'

const injectFaults = fileURLToPath(new URL('./inject-faults.ts', import.meta.url))

export type StartWorkerProcesses = {
  workers: number
  environment: Record<string, string>
  injectedFaults?: InjectedFault[]
}

export type WorkerProcesses = {
  /** Kills a random worker with SIGKILL and starts another without waiting for it to be ready. */
  replaceOne(): Promise<void>
} & AsyncDisposable

/** Starts `vidimus work` in separate processes, with injected faults if there are any. */
export async function startWorkerProcesses({
  workers,
  environment,
  injectedFaults = [],
}: StartWorkerProcesses): Promise<WorkerProcesses> {
  const program = injectedFaults.length === 0 ? packedProgram() : injectFaults
  const spawnWorker = () => {
    const child = spawn(process.execPath, [program, 'work'], {
      env: { ...inheritedVariables(), INJECTED_FAULTS: JSON.stringify(injectedFaults), ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines = createInterface(child.stdout)
    return { child, ready: Promise.race([once(lines, 'line'), once(child, 'exit')]) }
  }
  const processes = Array.from({ length: workers }, spawnWorker)
  await Promise.all(processes.map(({ ready }) => ready))
  return {
    async replaceOne() {
      const place = randomInt(processes.length)
      await end(processes[place]?.child)
      processes[place] = spawnWorker()
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(processes.map(({ child }) => end(child)))
    },
  }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
