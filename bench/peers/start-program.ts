import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export type ProgramOptions = { file: string; args?: string[]; environment: Record<string, string> }

export type Program = {
  pid: number
  /** 0 if the program does not listen. */
  port: number
} & AsyncDisposable

const startTimeout_ms = 60_000

/** Starts a Node program and waits for its first line, by which it says that it works. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const child = spawnProgram(options)
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await exited
  }
  const timeout = AbortSignal.timeout(startTimeout_ms)
  const [line] = await Promise.race([
    ...[child.stdout, child.stderr].map((stream) =>
      once(createInterface(stream), 'line', { signal: timeout }).catch(() => [undefined]),
    ),
    exited.then(() => [undefined]),
  ])
  child.stdout.resume()
  child.stderr.pipe(process.stderr)
  if (line === undefined || child.pid === undefined) {
    await stop()
    throw new Error(`${options.file} did not start.`)
  }
  return {
    pid: child.pid,
    port: Number(/http:\/\/\S+:(\d+)/.exec(String(line))?.[1] ?? 0),
    [Symbol.asyncDispose]: stop,
  }
}

/** Runs a Node program to its end. */
export async function runProgram(options: ProgramOptions): Promise<void> {
  const child = spawnProgram(options)
  child.stdout.resume()
  child.stderr.pipe(process.stderr)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${options.file} exited with ${String(code)}.`)
}

function spawnProgram({ file, args = [], environment }: ProgramOptions) {
  return spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
