import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { inheritedVariables } from './inherited-variables.ts'
import type { InjectedFault } from './inject-faults.ts'
import { packedProgram } from './packed-program.ts'

const program = packedProgram()
const injectFaults = fileURLToPath(new URL('./inject-faults.ts', import.meta.url))

export type ProgramOptions = {
  args: string[]
  environment: Record<string, string>
  /** Faults to inject into the source. */
  injectedFaults?: readonly InjectedFault[]
  stderr?: number | 'pipe'
}

export type RunningProgram = {
  child: ChildProcess
  /** Its output so far, as far as it is captured. */
  output: () => string
  /** The exit status, or the signal that ended it. */
  ended: Promise<number | string>
} & AsyncDisposable

/** Starts `vidimus` in a separate process that can be frozen or stopped, or given a broken standard error. */
export function startProgram({
  args,
  environment,
  injectedFaults = [],
  stderr = 'pipe',
}: ProgramOptions): RunningProgram {
  const stdio: StdioOptions = ['ignore', 'pipe', stderr]
  const env = { ...inheritedVariables(), ...environment, INJECTED_FAULTS: JSON.stringify(injectedFaults) }
  // Without faults the program starts as in production, which is a fifth faster than through the hooks that inject them.
  const file = injectedFaults.length === 0 ? program : injectFaults
  const child = spawn(process.execPath, [file, ...args], { env, stdio })
  const written: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => written.push(chunk.toString()))
  const ended = once(child, 'exit').then(([code, signal]: (number | string | null)[]) => code ?? signal ?? '')
  return {
    child,
    output: () => written.join(''),
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
