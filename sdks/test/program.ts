import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { inheritedVariables } from '../../apps/service/test/processes/inherited-variables.ts'

export type Asked = {
  client: { base_url: string; api_key: string | null; timeout_ms?: number; retries?: number }
  do: string
  with?: Record<string, unknown>
}
export type Outcome = {
  value?: any // oxlint-disable-line typescript/no-explicit-any -- behaviours assert what they expect
  error?: {
    kind: string
    message: string
    code?: string | undefined
    status?: number
    request_id?: string | null | undefined
    retry_after_seconds?: number | null | undefined
    help?: string | null | undefined
    reason?: string
  }
  pauses_ms: number[]
  warnings: string[]
}
/** The test program of one SDK. */
export type Program = { ask(asked: Asked): Promise<Outcome> } & AsyncDisposable

const limit_ms = 60_000

/** Starts the test program of an SDK, which reports one line for each line that it is sent. */
export function startProgram([command = '', ...args]: string[], cwd: string): Program {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(command, args, {
    cwd,
    env: { ...inheritedVariables(), HOME: cwd, LANG: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const ended = once(child, 'exit')
  child.stdin.on('error', () => {}) // It has ended, which `ask` reports.
  let last: Promise<unknown> = Promise.resolve()

  async function askNow(asked: Asked): Promise<Outcome> {
    child.stdin.write(`${JSON.stringify(asked)}\n`)
    const timer = setTimeout(() => child.kill('SIGKILL'), limit_ms)
    const { value, done } = await lines.next()
    clearTimeout(timer)
    if (done === true) throw new Error(`${command} ended, or took more than ${limit_ms} ms, at ${asked.do}.`)
    return JSON.parse(value)
  }
  return {
    async ask(asked) {
      const outcome = last.then(() => askNow(asked))
      last = outcome.catch(() => undefined)
      return outcome
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
