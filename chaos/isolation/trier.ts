import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Answered, Asked } from './try-predicates.ts'

const program = fileURLToPath(new URL('./try-predicates.ts', import.meta.url))

export type Trier = { without(numbers: number[]): Promise<Answered> } & AsyncDisposable

/** A process of its own in which predicates are taken out, one trial after the other. */
export async function openTrier(): Promise<Trier> {
  const child = fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const gone = once(child, 'exit')
  const next = async (): Promise<unknown> => {
    const [message] = await Promise.race([
      once(child, 'message'),
      gone.then(([code]) => Promise.reject(new Error(`a trier ended with ${code}`))),
    ])
    return message
  }
  await next()
  return {
    async without(numbers) {
      const answered = next()
      child.send({ numbers } satisfies Asked)
      return (await answered) as Answered // it says nothing else
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect()
      await gone
    },
  }
}
