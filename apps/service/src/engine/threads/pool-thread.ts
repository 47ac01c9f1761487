import { Worker } from 'node:worker_threads'
import type { ThreadData } from './serve-tasks.ts'
import type { Work } from '../scheduling/work.ts'
import type { Span } from '../observability/spans.ts'

/**
 * Tasks that are sent to a thread in one message, under load. A larger task is sent alone, so that no small one waits for it: how
 * long a task takes depends on its size.
 */
export const batchLimits = { maxTasks: 8, maxTask_bytes: 16 * 1024 }

/** A task from its acceptance to its result. */
export type Job<Task, Result> = {
  owner: string
  bytes: number
  task: Task
  lookupResults: unknown[]
  /** The caller's request, which is charged for the task. */
  work: Work | undefined
  /** The span of the caller, if it is traced. */
  span: Span | undefined
  /** CPU time used so far. */
  asked_ms: number
  cpu_ms: number
  thread: PoolThread<Task, Result> | undefined
  finished: boolean
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

export type PoolThread<Task, Result> = {
  worker: Worker
  ready: boolean
  /** The tasks that it was sent and has not reported. */
  jobs: Job<Task, Result>[]
  starts: ThreadData['starts']
  timer: NodeJS.Timeout | undefined
}

/** Starts a thread that runs a module with `serveTasks`. */
export function startPoolThread<Task, Result>({
  file,
  maxHeap_mb,
  data,
}: {
  file: URL
  maxHeap_mb: number
  data: unknown
}): PoolThread<Task, Result> {
  const starts = new Float64Array(
    new SharedArrayBuffer(batchLimits.maxTasks * Float64Array.BYTES_PER_ELEMENT),
  )
  const worker = new Worker(file, {
    resourceLimits: { maxOldGenerationSizeMb: maxHeap_mb },
    workerData: { starts, data } satisfies ThreadData,
  })
  return { worker, ready: false, jobs: [], starts, timer: undefined }
}

/** The task that a thread has started last, or is about to start. */
export function findRunning<Task, Result>({
  jobs,
  starts,
}: PoolThread<Task, Result>): {
  job: Job<Task, Result> | undefined
  started_ms?: number
} {
  const started = starts.findLastIndex((ms) => ms > 0)
  const started_ms = starts[started]
  return started_ms === undefined ? { job: jobs[0] } : { job: jobs[started], started_ms }
}
