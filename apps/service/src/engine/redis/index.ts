export { openRedis, waitForRedis } from './open.ts'
export { openSharedCounter } from './shared-counter.ts'
