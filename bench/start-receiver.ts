import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { ReceiverReport } from './receiver.ts'

/** Starts a receiver of webhooks in a process of its own. */
export async function startReceiver(...args: string[]) {
  const child = fork(new URL('./receiver.ts', import.meta.url), args)
  const [listening]: { port: number }[] = await once(child, 'message')
  return {
    url: `http://127.0.0.1:${listening?.port}/hook`,
    report: () => ask<ReceiverReport>('report'),
    /** How many messages arrived. */
    progress: () => ask<number>('progress'),
    kill: () => child.kill(),
    async [Symbol.asyncDispose]() {
      child.kill()
    },
  }

  async function ask<Message>(what: 'report' | 'progress'): Promise<Message> {
    child.send(what)
    const [message]: Message[] = await once(child, 'message')
    if (message === undefined) throw new Error('the receiver exited')
    return message
  }
}
