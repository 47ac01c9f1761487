import { parentPort } from 'node:worker_threads'

/** A task is done, or needs an answer that a thread cannot get: then it is performed again with all answers so far. */
export type TaskOutcome<Result> = { result: Result } | { question: unknown }

export type TaskMessage<Task> = { task: Task; answers: unknown[] }

/** `cpu_ms` is the CPU time that the thread has used since it started. */
export type ThreadMessage<Result> = { cpu_ms: number } & (
  | { kind: 'ready' }
  | { kind: 'result'; result: Result }
  | { kind: 'question'; question: unknown }
  | { kind: 'failed'; message: string }
)

/** The thread's side of `openThreads`: performs one task after another. A task only computes; it never waits for anything. */
export function serveTasks<Task, Result>(
  perform: (task: Task, answers: unknown[]) => Promise<TaskOutcome<Result>>,
): void {
  const port = parentPort
  if (port === null) throw new Error('this module runs in a thread')

  port.on('message', ({ task, answers }: TaskMessage<Task>) => {
    perform(task, answers).then(
      (outcome) =>
        port.postMessage({
          kind: 'question' in outcome ? 'question' : 'result',
          cpu_ms: cpuTime_ms(),
          ...outcome,
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
