import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { TrialResult, TrialRequest } from './try-predicates.ts'

const program = fileURLToPath(new URL('./try-predicates.ts', import.meta.url))

export type TrialProcess = { tryWithout(numbers: number[]): Promise<TrialResult> } & AsyncDisposable

/** A separate process that removes predicates, one trial at a time, and runs the named parts of the matrix, by default all. */
export async function startTrialProcess(parts: readonly string[] = []): Promise<TrialProcess> {
  const child = fork(program, parts, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const gone = once(child, 'exit')
  const next = async (): Promise<unknown> => {
    const [message] = await Promise.race([
      once(child, 'message'),
      gone.then(([code]) => Promise.reject(new Error(`a trial process exited with ${code}`))),
    ])
    return message
  }
  await next()
  return {
    async tryWithout(numbers) {
      const responded = next()
      child.send({ numbers } satisfies TrialRequest)
      return (await responded) as TrialResult // the only message it sends
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect()
      await gone
    },
  }
}
