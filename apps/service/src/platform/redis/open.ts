import { once } from 'node:events'
import { Redis } from 'ioredis'

const reconnectDelay = { max_ms: 1000, step_ms: 50 }

/**
 * Redis holds budgets and nothing else, so it may be away. Commands fail at once then, instead of queueing up behind a
 * connection that may never come back; the connection is tried again, at most a second apart.
 */
export function openRedis(url: string): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1000,
    commandTimeout: 200,
    retryStrategy: (attempt) => Math.min(attempt * reconnectDelay.step_ms, reconnectDelay.max_ms),
  })
  // Every failed command already rejects; without a listener the same failure would be printed as unhandled.
  redis.on('error', () => {})
  return redis
}

/**
 * Drops a connection that does not answer, so that another is made: a peer that is gone without a word, or that froze while it
 * greeted us, is never noticed otherwise. One that is being made is left alone.
 */
export function replaceConnection(redis: Redis): void {
  if (redis.status === 'ready' || redis.status === 'connect') redis.stream.destroy()
}

/** Waits for the first connection, at most for the time it may take: a service starts without Redis too. */
export async function waitForRedis(redis: Redis, timeout_ms = 1000): Promise<void> {
  if (redis.status === 'ready') return
  await once(redis, 'ready', { signal: AbortSignal.timeout(timeout_ms) }).catch(() => {
    // Not there yet. The limiter counts alone until it is.
  })
}
