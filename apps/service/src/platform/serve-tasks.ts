import { parentPort } from 'node:worker_threads'

/** A task returns its result, or a lookup that a thread cannot make. It then runs again with the results of all lookups so far. */
export type TaskOutcome<Result> = { result: Result } | { lookup: unknown }

export type TaskMessage<Task> = { task: Task; lookupResults: unknown[] }

/** `cpu_ms` is the CPU time the thread has used since it started. */
export type ThreadMessage<Result> = { cpu_ms: number } & (
  | { kind: 'ready' }
  | { kind: 'result'; result: Result }
  | { kind: 'lookup'; lookup: unknown }
  | { kind: 'failed'; message: string }
)

/** The thread's side of `openThreadPool`: runs one task after another. A task only computes; it never waits for I/O. */
export function serveTasks<Task, Result>(
  perform: (task: Task, lookupResults: unknown[]) => Promise<TaskOutcome<Result>>,
): void {
  const port = parentPort
  if (port === null) throw new Error('this module must run in a worker thread')

  port.on('message', ({ task, lookupResults }: TaskMessage<Task>) => {
    perform(task, lookupResults).then(
      (outcome) =>
        port.postMessage({
          kind: 'lookup' in outcome ? 'lookup' : 'result',
          cpu_ms: cpuTime_ms(),
          ...outcome,
        }),
      // Only the name and the message are sent; a task never throws because of what a wallet sent.
      (error: unknown) => port.postMessage({ kind: 'failed', cpu_ms: cpuTime_ms(), message: String(error) }),
    )
  })
  port.postMessage({ kind: 'ready', cpu_ms: cpuTime_ms() })
}

function cpuTime_ms(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
