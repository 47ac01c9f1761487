import { AsyncLocalStorage } from 'node:async_hooks'
import { runCommandLine } from '../../src/program/command-line.ts'
import { inheritedVariables } from './inherited-variables.ts'
import type { ProgramResult } from './run-program.ts'

type Output = { stdout: string; stderr: string }

const currentOutput = new AsyncLocalStorage<Output>()
let last: Promise<unknown> = Promise.resolve()
captureWrites('stdout')
captureWrites('stderr')

/**
 * Runs a command as `runProgram` does, with the same arguments, environment, exit status and output, but in the process of the
 * test, which saves the second that loading the program takes. Commands run one after the other, because a process has one
 * environment. Not for commands that run until a signal, for races between processes, or where the log matters, which goes
 * to the standard error of the test. Each command also has a test that uses `runProgram`.
 */
export function runCommand(
  args: readonly string[],
  environment: Record<string, string>,
): Promise<ProgramResult> {
  const result = last.then(() => runAlone(args, environment))
  last = result.catch(() => undefined)
  return result
}

async function runAlone(
  args: readonly string[],
  environment: Record<string, string>,
): Promise<ProgramResult> {
  const output: Output = { stdout: '', stderr: '' }
  const before = process.env
  process.env = { ...inheritedVariables(), ...environment }
  try {
    const status = await currentOutput.run(output, () => runCommandLine(args))
    return { status, ...output }
  } finally {
    process.env = before
  }
}

/** Keeps what a command writes. Writes of the rest of the process go where they went before. */
function captureWrites(name: keyof Output): void {
  const stream = process[name]
  const write = stream.write.bind(stream)
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    const output = currentOutput.getStore()
    if (output === undefined) return Reflect.apply(write, stream, [chunk, ...rest])
    output[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    const done = rest.at(-1)
    if (typeof done === 'function') done()
    return true
  }
}
