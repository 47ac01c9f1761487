import { parentPort } from 'node:worker_threads'

export type Ask = (question: unknown) => Promise<unknown>
type ToThread<Task> = { task: Task } | { number: number; answer: unknown }

/** The other end of `openThreads`: does one task after another, and may ask while it does. */
export function serveTasks<Task, Result>(perform: (task: Task, ask: Ask) => Promise<Result>): void {
  const port = parentPort
  if (port === null) throw new Error('this module runs in a thread')
  const open = new Map<number, (answer: unknown) => void>()
  let asked = 0

  const ask: Ask = (question) =>
    new Promise((resolve) => {
      asked += 1
      open.set(asked, resolve)
      port.postMessage({ kind: 'question', number: asked, question })
    })

  port.on('message', (message: ToThread<Task>) => {
    if ('number' in message) {
      open.get(message.number)?.(message.answer)
      open.delete(message.number)
      return
    }
    perform(message.task, ask).then(
      (result) => port.postMessage({ kind: 'result', result }),
      // Only the name and the message travel; a task never throws for what a wallet sent.
      (error: unknown) => port.postMessage({ kind: 'failed', message: String(error) }),
    )
  })
}
