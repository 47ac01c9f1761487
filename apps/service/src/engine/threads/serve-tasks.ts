import { parentPort, workerData } from 'node:worker_threads'

/** A task returns its result, or a lookup that a thread cannot make. It then runs again with the results of all lookups so far. */
export type TaskOutcome<Result> = { result: Result } | { lookup: unknown }

/** One message may carry several tasks: waking a thread costs as much as verifying half a signature. */
export type BatchMessage<Task> = { task: Task; lookupResults: unknown[]; traced?: true }[]

/** A part of a traced task. Times are milliseconds since 1970. */
export type TaskStep = { name: string; started_at: number; ended_at: number }

/** Called by a traced task at the end of each of its steps. */
export type EndStep = (name: string) => void

/** `cpu_ms` is the CPU time that the task used. */
export type TaskReport<Result> = { cpu_ms: number; steps?: TaskStep[] } & (
  | { kind: 'result'; result: Result }
  | { kind: 'lookup'; lookup: unknown }
  | { kind: 'failed'; message: string }
)

/** The reports are in the order of the tasks. After a task that failed, the rest of its batch was not started. */
export type ThreadMessage<Result> = 'ready' | TaskReport<Result>[]

/**
 * What a pool gives each of its threads. `starts` has one element per task of a batch: the thread's CPU time in milliseconds
 * when the task started, or zero. The pool reads it while the thread computes, to know which task uses too much.
 */
export type ThreadData = { starts: Float64Array<SharedArrayBuffer>; data: unknown }

/** The data that the pool was opened with. */
export function readThreadData(): unknown {
  return (workerData as ThreadData).data // given by `startThread`
}

/** The thread's side of `openThreadPool`: runs one task after another. A task only computes; it never waits for I/O. */
export function serveTasks<Task, Result>(
  perform: (
    task: Task,
    lookupResults: unknown[],
    endStep: EndStep | undefined,
  ) => Promise<TaskOutcome<Result>>,
): void {
  const port = parentPort
  if (port === null) throw new Error('this module must run in a worker thread')
  const { starts } = workerData as ThreadData // given by `startThread`

  port.on('message', (batch: BatchMessage<Task>) => {
    runBatch(batch)
      .then((reports) => port.postMessage(reports))
      // A task that fails is a report, so this is a result that cannot be copied. The pool then ends the thread.
      .catch((error: unknown) =>
        port.postMessage([
          { kind: 'failed', cpu_ms: 0, ...toFailure(error) },
        ] satisfies ThreadMessage<Result>),
      )
  })
  port.postMessage('ready' satisfies ThreadMessage<Result>)

  async function runBatch(batch: BatchMessage<Task>): Promise<ThreadMessage<Result>> {
    const reports: TaskReport<Result>[] = []
    let started_ms = cpuTime_ms()
    for (const [index, { task, lookupResults, traced }] of batch.entries()) {
      starts[index] = started_ms
      const steps: TaskStep[] | undefined = traced && []
      const outcome = await perform(task, lookupResults, steps && measureSteps(steps)).catch(toFailure)
      const ended_ms = cpuTime_ms()
      reports.push({ cpu_ms: ended_ms - started_ms, ...(steps && { steps }), ...toReport(outcome) })
      if ('message' in outcome) break
      started_ms = ended_ms
    }
    return reports
  }
}

/** A step begins where the one before it ended, the first one now. */
function measureSteps(steps: TaskStep[]): EndStep {
  const offset_ms = Date.now() - performance.now()
  let started_at = offset_ms + performance.now()
  return (name) => {
    const ended_at = offset_ms + performance.now()
    steps.push({ name, started_at, ended_at })
    started_at = ended_at
  }
}

function toReport<Result>(outcome: TaskOutcome<Result> | { message: string }) {
  if ('message' in outcome) return { kind: 'failed', ...outcome } as const
  return 'lookup' in outcome
    ? ({ kind: 'lookup', ...outcome } as const)
    : ({ kind: 'result', ...outcome } as const)
}

/** Only the name and the message are sent; a task never throws because of what a wallet sent. */
function toFailure(error: unknown): { message: string } {
  return { message: String(error) }
}

function cpuTime_ms(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
