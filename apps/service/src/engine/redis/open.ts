import { once } from 'node:events'
import { Redis } from 'ioredis'

const reconnectDelay = { max_ms: 1000, step_ms: 50 }

/**
 * Redis holds only rate-limit counters, so the service works without it. While it is unavailable, commands fail at once
 * instead of queueing behind a connection that may never come back. Reconnects are at most a second apart.
 */
export function openRedis(url: string): Redis {
  const server = new URL(url)
  // `tls=off` is for the check of the configuration; ioredis would take any value as a request for TLS.
  server.searchParams.delete('tls')
  const redis = new Redis(server.href, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1000,
    commandTimeout: 200,
    retryStrategy: (attempt) => Math.min(attempt * reconnectDelay.step_ms, reconnectDelay.max_ms),
  })
  // Every failed command already rejects; without a listener ioredis would also print the error as unhandled.
  redis.on('error', () => {})
  return redis
}

/**
 * Drops a connection that does not respond, so that a new one is made. A peer that vanished without closing, or froze during
 * the handshake, would never be noticed otherwise. A connection attempt in progress is left alone.
 */
export function replaceConnection(redis: Redis): void {
  if (redis.status === 'ready' || redis.status === 'connect') redis.stream.destroy()
}

/** Waits for the first connection, but not for longer than the time-out: the service also starts without Redis. */
export async function waitForRedis(redis: Redis, timeout_ms = 1000): Promise<void> {
  if (redis.status === 'ready') return
  await once(redis, 'ready', { signal: AbortSignal.timeout(timeout_ms) }).catch(() => {
    // Not connected yet. The limiter counts locally until it is.
  })
}
