export { type EndStep, type TaskOutcome, readThreadData, serveTasks } from './serve-tasks.ts'
export { TaskLimitError, type ThreadPool, type ThreadPoolLimits, openThreadPool } from './thread-pool.ts'
