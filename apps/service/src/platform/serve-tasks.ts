import { parentPort } from 'node:worker_threads'

/** A task is done, or needs an answer that a thread cannot get: then it is performed again with all answers so far. */
export type Performed<Result> = { result: Result } | { question: unknown }

export type ToThread<Task> = { task: Task; answers: unknown[] }

/** `cpu_ms` is the CPU time that the thread has used since it started. */
export type FromThread<Result> = { cpu_ms: number } & (
  | { kind: 'ready' }
  | { kind: 'result'; result: Result }
  | { kind: 'question'; question: unknown }
  | { kind: 'failed'; message: string }
)

/** The thread's side of `openThreads`: performs one task after another. A task only computes; it never waits for anything. */
export function serveTasks<Task, Result>(
  perform: (task: Task, answers: unknown[]) => Promise<Performed<Result>>,
): void {
  const port = parentPort
  if (port === null) throw new Error('this module runs in a thread')

  port.on('message', ({ task, answers }: ToThread<Task>) => {
    perform(task, answers).then(
      (performed) =>
        port.postMessage({
          kind: 'question' in performed ? 'question' : 'result',
          cpu_ms: cpuTime_ms(),
          ...performed,
        }),
      // Only the name and the message travel; a task never throws for what a wallet sent.
      (error: unknown) => port.postMessage({ kind: 'failed', cpu_ms: cpuTime_ms(), message: String(error) }),
    )
  })
  port.postMessage({ kind: 'ready', cpu_ms: cpuTime_ms() })
}

function cpuTime_ms(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
