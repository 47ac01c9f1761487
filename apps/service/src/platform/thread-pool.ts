import { Worker } from 'node:worker_threads'
import { openFairQueue } from './fair-queue.ts'
import { Refusal } from './refusal.ts'
import type { ThreadMessage, TaskMessage } from './serve-tasks.ts'
import { openSlots, type ReleaseSlot } from './slots.ts'

export type ThreadPoolLimits = {
  /** Unfinished tasks and their bytes, per owner and in total. Further tasks are refused. */
  maxTasksPerOwner: number
  maxTasks: number
  maxBytesPerOwner: number
  maxBytes: number
  /** A task that uses more CPU time is ended together with its thread. Waiting does not count, so a busy machine ends no valid task. */
  cpu_ms: number
  /** From the moment a task is accepted. A task that is unfinished by then is refused. */
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

type Job<Task, Result> = {
  owner: string
  task: Task
  lookupResults: unknown[]
  /** CPU time used so far. */
  cpu_ms: number
  thread: PoolThread<Task, Result> | undefined
  finished: boolean
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

type PoolThread<Task, Result> = {
  worker: Worker
  ready: boolean
  job: Job<Task, Result> | undefined
  /** CPU time the thread had used when it finished its last task. */
  cpu_ms: number
  timer: NodeJS.Timeout | undefined
}

/** The minimum interval between two checks of a running task's CPU time. */
const cpuCheck_ms = 50

/**
 * A small pool of threads for work that would block the event loop. Threads start on demand and run one task at a time.
 * Owners are served round-robin, and a task that needs a lookup leaves its thread until the result is available.
 */
export function openThreadPool<Task, Result>({
  file,
  size,
  maxThreadsPerOwner,
  bounds,
  resolveLookup,
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
        task,
        lookupResults: [],
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
      const idle = threads.values().find(({ ready, job }) => ready && job === undefined)
      if (idle === undefined) {
        if (threads.size < size && waiting.has(canServe)) startThread()
        return
      }
      const job = waiting.shift(canServe)
      if (job === undefined) return
      if (!job.finished) assign(idle, job)
    }
  }

  function canServe(owner: string): boolean {
    const occupied = threads.values().reduce((sum, { job }) => sum + (job?.owner === owner ? 1 : 0), 0)
    return occupied < maxThreadsPerOwner
  }

  function startThread(): void {
    const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: bounds.maxHeap_mb } })
    const thread: PoolThread<Task, Result> = {
      worker,
      ready: false,
      job: undefined,
      cpu_ms: 0,
      timer: undefined,
    }
    threads.add(thread)
    worker.on('message', (message: ThreadMessage<Result>) => onMessage(thread, message))
    worker.on('error', (error) => replaceThread(thread, error))
    worker.on('exit', () => replaceThread(thread, new Error('the thread exited while running a task')))
    worker.unref()
  }

  function assign(thread: PoolThread<Task, Result>, job: Job<Task, Result>): void {
    thread.job = job
    job.thread = thread
    const message: TaskMessage<Task> = { task: job.task, lookupResults: job.lookupResults }
    thread.worker.postMessage(message)
    checkCpuIn(thread, job, bounds.cpu_ms - job.cpu_ms)
  }

  function onMessage(thread: PoolThread<Task, Result>, message: ThreadMessage<Result>): void {
    const { job } = thread
    clearTimeout(thread.timer)
    thread.job = undefined
    if (job !== undefined) {
      job.thread = undefined
      job.cpu_ms += message.cpu_ms - thread.cpu_ms
    }
    thread.cpu_ms = message.cpu_ms
    switch (message.kind) {
      case 'ready':
        thread.ready = true
        break
      case 'result':
        job?.resolve(message.result)
        break
      case 'lookup':
        if (job !== undefined) lookUp(job, message.lookup)
        break
      case 'failed':
        job?.reject(new Error(message.message))
        // A thread that failed may be in any state.
        replaceThread(thread, new Error('the thread failed'))
        return
    }
    dispatch()
  }

  function lookUp(job: Job<Task, Result>, lookup: unknown): void {
    resolveLookup(lookup, job.owner)
      .then((value) => resume(job, value))
      // A failed lookup, for example without a database, fails only the task that needs it.
      .catch(job.reject)
  }

  function resume(job: Job<Task, Result>, value: unknown): void {
    job.lookupResults.push(value)
    if (!job.finished) enqueue(job)
  }

  function checkCpuIn(thread: PoolThread<Task, Result>, job: Job<Task, Result>, ms: number): void {
    const check = () =>
      thread.worker
        .cpuUsage()
        .then(({ user, system }) => limitCpu(thread, job, (user + system) / 1000))
        // The thread has exited; its `exit` event handles that.
        .catch(() => {})
    thread.timer = setTimeout(() => void check(), Math.max(ms, cpuCheck_ms))
  }

  function limitCpu(thread: PoolThread<Task, Result>, job: Job<Task, Result>, cpu_ms: number): void {
    if (thread.job !== job) return
    const left_ms = bounds.cpu_ms - job.cpu_ms - (cpu_ms - thread.cpu_ms)
    if (left_ms > 0) checkCpuIn(thread, job, left_ms)
    else replaceThread(thread, new TaskLimitError('a task used too much CPU time'))
  }

  function expire(job: Job<Task, Result>): void {
    job.reject(overloaded())
    if (job.thread !== undefined) replaceThread(job.thread, overloaded())
  }

  /** Ends a thread and fails its task. A thread that failed to start fails the next waiting task, so that restarts are bounded. */
  function replaceThread(thread: PoolThread<Task, Result>, error: unknown): void {
    if (!threads.delete(thread)) return
    clearTimeout(thread.timer)
    const job = thread.ready ? thread.job : waiting.shift()
    job?.reject(isOutOfMemory(error) ? new TaskLimitError('a task used too much memory') : error)
    thread.worker.terminate().catch(() => {}) // it has already exited
    dispatch()
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function overloaded(): Refusal {
  return new Refusal('overloaded', 'Too many wallet responses are being verified. Try again in a moment.', 1)
}
