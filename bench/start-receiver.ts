import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { ReceiverReport } from './receiver.ts'

/** Starts a receiver of webhooks in a process of its own. */
export async function startReceiver(...args: string[]) {
  const child = fork(new URL('./receiver.ts', import.meta.url), args)
  const [listening]: { port: number }[] = await once(child, 'message')
  return {
    url: `http://127.0.0.1:${listening?.port}/hook`,
    async report(): Promise<ReceiverReport> {
      child.send('report')
      const [reception]: ReceiverReport[] = await once(child, 'message')
      if (reception === undefined) throw new Error('the receiver exited')
      return reception
    },
    kill: () => child.kill(),
    async [Symbol.asyncDispose]() {
      child.kill()
    },
  }
}
