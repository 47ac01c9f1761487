import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { CollectorReport } from './collector.ts'

export async function startCollector() {
  const child = fork(new URL('./collector.ts', import.meta.url))
  const [listening]: { port: number }[] = await once(child, 'message')
  return {
    url: `http://127.0.0.1:${listening?.port}`,
    async report(): Promise<CollectorReport> {
      child.send('report')
      const [report]: CollectorReport[] = await once(child, 'message')
      if (report === undefined) throw new Error('the collector exited')
      return report
    },
    async [Symbol.asyncDispose]() {
      child.kill()
    },
  }
}
