import { Worker } from 'node:worker_threads'
import { Refusal } from './refusal.ts'

export type OpenThreads = {
  /** The module that every thread runs; it calls `serveTasks`. */
  file: URL
  size: number
  /** The most tasks that may wait. One more is refused. */
  maxWaiting: number
  /** A task that takes longer is given up, with its thread: whatever it was busy with, nobody waits for it. */
  timeLimit_ms: number
  /** Answers what a thread has to ask while it works: a thread has no database and no network. */
  answer: (question: unknown) => Promise<unknown>
}

export type Threads<Task, Result> = { run: (task: Task) => Promise<Result>; close: () => Promise<void> }

/** The task took longer than a right one ever does. */
export class TimeLimitExceeded extends Error {
  override name = 'TimeLimitExceeded'
}

type Job<Task, Result> = { task: Task; resolve: (result: Result) => void; reject: (error: Error) => void }
type FromThread<Result> =
  | { kind: 'result'; result: Result }
  | { kind: 'failed'; message: string }
  | { kind: 'question'; number: number; question: unknown }

/**
 * A few threads for work that would stop the event loop, started when they are first needed. Each does one task at a time;
 * tasks wait in line, at most so many.
 */
export function openThreads<Task, Result>({ size, ...how }: OpenThreads): Threads<Task, Result> {
  const waiting: Job<Task, Result>[] = []
  const idle = new Set<Worker>()
  const all = new Set<Worker>()

  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= how.maxWaiting) {
          reject(new Refusal('overloaded', 'Too many answers are being checked. Try again in a moment.', 1))
          return
        }
        waiting.push({ task, resolve, reject })
        next()
      }),
    async close() {
      await Promise.all(Array.from(all, (worker) => worker.terminate()))
    },
  }

  function hire(): void {
    const worker = new Worker(how.file)
    all.add(worker)
    idle.add(worker)
    worker.unref()
  }

  function next(): void {
    if (idle.size === 0 && all.size < size && waiting.length > 0) hire()
    const [worker] = idle
    const job = worker === undefined ? undefined : waiting.shift()
    if (worker === undefined || job === undefined) return
    idle.delete(worker)
    void work(worker, job)
  }

  async function work(worker: Worker, { task, resolve, reject }: Job<Task, Result>): Promise<void> {
    try {
      resolve(await doOne(worker, task))
      idle.add(worker)
    } catch (error) {
      reject(error instanceof Error ? error : new Error(String(error)))
      // A thread that failed may hold anything: another takes its place.
      all.delete(worker)
      void worker.terminate()
    }
    next()
  }

  function doOne(worker: Worker, task: Task): Promise<Result> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      }
      const onError = (error: unknown) => {
        stop()
        reject(error instanceof Error ? error : new Error(String(error)))
      }
      const onExit = () => onError(new Error('a thread ended in the middle of its task'))
      const onMessage = (message: FromThread<Result>) => {
        if (message.kind === 'question') {
          // A question that cannot be answered, for want of a database, fails the one task that asked it.
          how
            .answer(message.question)
            .then((answer) => worker.postMessage({ number: message.number, answer }))
            .catch(onError)
          return
        }
        stop()
        if (message.kind === 'result') resolve(message.result)
        else reject(new Error(message.message))
      }
      const timer = setTimeout(() => onError(new TimeLimitExceeded('a task took too long')), how.timeLimit_ms)
      worker.on('message', onMessage).on('error', onError).on('exit', onExit)
      worker.postMessage({ task })
    })
  }
}
