import { openFairQueue } from '../scheduling/fair-queue.ts'
import { batchLimits, findRunning, startPoolThread, type Job, type PoolThread } from './pool-thread.ts'
import { Refusal } from '../basics/refusal.ts'
import type { BatchMessage, TaskReport, TaskStep, ThreadMessage } from './serve-tasks.ts'
import { currentWork } from '../scheduling/work.ts'
import { openSlots, type ReleaseSlot } from '../scheduling/slots.ts'
import type { Span } from '../observability/spans.ts'
import { tracing, within } from '../observability/tracing.ts'

export type ThreadPoolLimits = {
  /** Unfinished tasks and their bytes, per owner and in total. Further tasks are refused. */
  maxTasksPerOwner: number
  maxTasks: number
  maxBytesPerOwner: number
  maxBytes: number
  /** A task that uses more CPU time is ended together with its thread. Waiting does not count, so a busy machine ends no valid task. */
  cpu_ms: number
  /** Counted from the acceptance of a task. A task that is unfinished by then is refused. */
  deadline_ms: number
  /** JavaScript heap per thread. */
  maxHeap_mb: number
}

export type ThreadPoolOptions = {
  /** The module that each thread runs; it calls `serveTasks`. */
  file: URL
  size: number
  /** Threads that one owner may occupy. If this is less than `size`, another owner never waits for its tasks. */
  maxThreadsPerOwner: number
  bounds: ThreadPoolLimits
  /** Makes a lookup that a task needs: a thread has no database and no network. */
  resolveLookup: (lookup: unknown, owner: string) => Promise<unknown>
  /** Constants for every thread, which reads them with `readThreadData`. */
  data?: unknown
}

/** `owner` is charged for the task; `bytes` is roughly its memory. */
type ThreadTask<Task> = { owner: string; bytes: number; task: Task }

export type ThreadPool<Task, Result> = {
  run: (task: ThreadTask<Task>) => Promise<Result>
  close: () => Promise<void>
}

/** The task used more CPU time or memory than any valid task does. A retry would do the same. */
export class TaskLimitError extends Error {
  override name = 'TaskLimitError'
}

/** The minimum interval between two checks of a running task's CPU time. */
const cpuCheck_ms = 50

/**
 * A small pool of threads for work that would block the event loop. Threads start on demand and run one task at a time; under
 * load, one message brings several small ones of one owner.
 * Owners are served round-robin, and a task that needs a lookup leaves its thread until the result is available.
 */
export function openThreadPool<Task, Result>({
  file,
  size,
  maxThreadsPerOwner,
  bounds,
  resolveLookup,
  data,
}: ThreadPoolOptions): ThreadPool<Task, Result> {
  const waiting = openFairQueue<Job<Task, Result>>()
  const tasks = openSlots({ each: bounds.maxTasksPerOwner, all: bounds.maxTasks })
  const bytesInUse = openSlots({ each: bounds.maxBytesPerOwner, all: bounds.maxBytes })
  const threads = new Set<PoolThread<Task, Result>>()
  let closed = false

  return {
    async run({ owner, bytes, task }) {
      const taken = [tasks.take(owner), bytesInUse.take(owner, bytes)]
      const releases = taken.filter((slot): slot is ReleaseSlot => typeof slot !== 'string')
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      const job = {
        owner,
        bytes,
        task,
        lookupResults: [],
        work: currentWork(),
        span: tracing.tracer?.active(),
        asked_ms: performance.now(),
        cpu_ms: 0,
        thread: undefined,
        finished: false,
        resolve,
        reject,
      }
      const deadline = setTimeout(() => expire(job), bounds.deadline_ms)
      try {
        if (releases.length < taken.length || closed) throw overloaded()
        enqueue(job)
        return await promise
      } finally {
        job.finished = true
        if (job.work !== undefined) job.work.waits.check_ms += performance.now() - job.asked_ms
        clearTimeout(deadline)
        for (const release of releases) release()
      }
    },
    async close() {
      closed = true
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) job.reject(overloaded())
      await Promise.all(Array.from(threads, ({ worker }) => worker.terminate()))
    },
  }

  function enqueue(job: Job<Task, Result>): void {
    waiting.push(job.owner, job)
    dispatch()
  }

  function dispatch(): void {
    while (!closed) {
      const idle = threads.values().find(({ ready, jobs }) => ready && jobs.length === 0)
      if (idle === undefined) {
        if (threads.size < size && waiting.has(canServe)) startThread()
        return
      }
      const batch = takeBatch()
      if (batch.length === 0) return
      assign(idle, batch)
    }
  }

  /**
   * The next task, or a thread's share of those that wait if they all belong to one owner. Owners that wait beside each other are
   * served task by task, so that none waits for another's.
   */
  function takeBatch(): Job<Task, Result>[] {
    const share = waiting.owners() > 1 ? 1 : Math.min(Math.ceil(waiting.size() / size), batchLimits.maxTasks)
    const batch: Job<Task, Result>[] = []
    const fits = (owner: string, { bytes }: Job<Task, Result>) =>
      batch.length === 0 ? canServe(owner) : bytes <= batchLimits.maxTask_bytes
    while (batch.length < share) {
      const job = waiting.shift(fits)
      if (job === undefined) break
      if (job.finished) continue
      batch.push(job)
      if (job.bytes > batchLimits.maxTask_bytes) break
    }
    return batch
  }

  function canServe(owner: string): boolean {
    const occupied = threads
      .values()
      .reduce((sum, { jobs }) => sum + (jobs.some((job) => job.owner === owner) ? 1 : 0), 0)
    return occupied < maxThreadsPerOwner
  }

  function startThread(): void {
    const thread = startPoolThread<Task, Result>({ file, maxHeap_mb: bounds.maxHeap_mb, data })
    const { worker } = thread
    threads.add(thread)
    worker.on('message', (message: ThreadMessage<Result>) => onMessage(thread, message))
    worker.on('error', (error) => replaceThread(thread, error))
    worker.on('exit', () => replaceThread(thread, new Error('the thread exited while running a task')))
    worker.unref()
  }

  function assign(thread: PoolThread<Task, Result>, jobs: Job<Task, Result>[]): void {
    thread.jobs = jobs
    for (const job of jobs) job.thread = thread
    thread.starts.fill(0)
    const message: BatchMessage<Task> = jobs.map(({ task, lookupResults, span }) =>
      span === undefined ? { task, lookupResults } : { task, lookupResults, traced: true },
    )
    thread.worker.postMessage(message)
    checkCpuIn(thread, jobs, bounds.cpu_ms - Math.max(...jobs.map(({ cpu_ms }) => cpu_ms)))
  }

  function onMessage(thread: PoolThread<Task, Result>, message: ThreadMessage<Result>): void {
    if (message === 'ready') thread.ready = true
    else finishBatch(thread, message)
    dispatch()
  }

  function finishBatch(thread: PoolThread<Task, Result>, reports: TaskReport<Result>[]): void {
    const { jobs } = thread
    clearTimeout(thread.timer)
    thread.jobs = jobs.slice(reports.length)
    // A thread that failed may be in any state.
    if (reports.at(-1)?.kind === 'failed') replaceThread(thread)
    for (const [index, report] of reports.entries()) {
      const job = jobs[index]
      if (job !== undefined) finishJob(job, report)
    }
  }

  function finishJob(job: Job<Task, Result>, report: TaskReport<Result>): void {
    job.thread = undefined
    job.cpu_ms += report.cpu_ms
    job.work?.charge(report.cpu_ms, true)
    if (report.steps !== undefined) traceSteps(job.span, report.steps)
    switch (report.kind) {
      case 'result':
        job.resolve(report.result)
        break
      case 'lookup':
        lookUp(job, report.lookup)
        break
      case 'failed':
        job.reject(new Error(report.message))
        break
    }
  }

  function lookUp(job: Job<Task, Result>, lookup: unknown): void {
    job.work?.pause()
    const asked_ms = performance.now()
    within(job.span, () => resolveLookup(lookup, job.owner))
      .finally(() => {
        if (job.work !== undefined) job.work.waits.lookup_ms += performance.now() - asked_ms
      })
      .then((value) => resume(job, value))
      // A failed lookup, for example without a database, fails only the task that needs it.
      .catch(job.reject)
  }

  async function resume(job: Job<Task, Result>, value: unknown): Promise<void> {
    await job.work?.resume()
    job.lookupResults.push(value)
    if (!job.finished) enqueue(job)
  }

  function checkCpuIn(thread: PoolThread<Task, Result>, jobs: Job<Task, Result>[], ms: number): void {
    const check = () =>
      thread.worker
        .cpuUsage()
        .then(({ user, system }) => limitCpu(thread, jobs, (user + system) / 1000))
        // The thread has exited; its `exit` event handles that.
        .catch(() => {})
    thread.timer = setTimeout(() => void check(), Math.max(ms, cpuCheck_ms))
  }

  function limitCpu(thread: PoolThread<Task, Result>, jobs: Job<Task, Result>[], cpu_ms: number): void {
    if (thread.jobs !== jobs) return
    const { job, started_ms = cpu_ms } = findRunning(thread)
    const left_ms = bounds.cpu_ms - (job?.cpu_ms ?? 0) - (cpu_ms - started_ms)
    if (left_ms > 0) checkCpuIn(thread, jobs, left_ms)
    else replaceThread(thread, new TaskLimitError('a task used too much CPU time'))
  }

  function expire(job: Job<Task, Result>): void {
    const { thread } = job
    job.reject(overloaded())
    if (thread === undefined) return
    thread.jobs = thread.jobs.filter((other) => other !== job)
    replaceThread(thread)
  }

  /**
   * Ends a thread. The error is that of the task that was running; the others of its batch start again on another thread. A thread that failed to
   * start fails the next waiting task, so that restarts are bounded.
   */
  function replaceThread(thread: PoolThread<Task, Result>, error?: unknown): void {
    if (!threads.delete(thread)) return
    clearTimeout(thread.timer)
    const failed = error === undefined ? undefined : thread.ready ? findRunning(thread).job : waiting.shift()
    failed?.reject(isOutOfMemory(error) ? new TaskLimitError('a task used too much memory') : error)
    for (const job of thread.jobs) {
      job.thread = undefined
      if (job !== failed && !job.finished) waiting.push(job.owner, job)
    }
    thread.worker.terminate().catch(() => {}) // it has already exited
    dispatch()
  }
}

/** A span for each step that a thread measured. */
function traceSteps(span: Span | undefined, steps: readonly TaskStep[]): void {
  for (const { name, started_at, ended_at } of steps)
    tracing.tracer?.startSpan(name, { startTime: started_at }, span)?.end(ended_at)
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function overloaded(): Refusal {
  return new Refusal('overloaded', 'Too many wallet responses are being verified. Try again in a moment.', 1)
}
