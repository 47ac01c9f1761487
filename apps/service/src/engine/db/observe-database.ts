import type { Log } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { PoolObserver } from './connection/observer.ts'
import type { DatabaseFailure } from './failures.ts'

/** The database works again once nothing has failed for this long: with a full disk, reads succeed all the time. */
export const quiet_ms = 5000

type Episode = { failures: Set<DatabaseFailure>; began_ms: number; last_ms: number; count: number }

/**
 * Counts what happens at the database. In the log, one line says that it fails, one for each further kind of failure, and one that it
 * works again, however many requests and loops meet it.
 */
export function observeDatabase(
  { log, metrics }: { log: Log; metrics: Pick<Metrics, 'database'> },
  { now_ms = () => performance.now() } = {},
): PoolObserver {
  const { statements, waits, failures } = metrics.database
  const ofModule = new Map<string, { observe(seconds: number): void }>()
  let episode: Episode | undefined
  // A command that cannot start says so itself.
  let worked = false
  return {
    onStatement(module, seconds) {
      let series = ofModule.get(module)
      if (series === undefined) {
        series = statements.labels({ module })
        ofModule.set(module, series)
      }
      series.observe(seconds)
    },
    onWaited: (seconds) => waits.observe(seconds),
    onFailure(failure, error) {
      failures.inc({ failure })
      const at_ms = now_ms()
      episode ??= { failures: new Set(), began_ms: at_ms, last_ms: at_ms, count: 0 }
      episode.last_ms = at_ms
      episode.count += 1
      if (!worked || episode.failures.has(failure)) return
      episode.failures.add(failure)
      log.error({ failure, err: error }, 'the database fails')
    },
    onSuccess() {
      worked = true
      if (episode === undefined || now_ms() - episode.last_ms < quiet_ms) return
      const seconds = Math.round((episode.last_ms - episode.began_ms) / 100) / 10
      log.info({ failures: episode.count, seconds }, 'the database works again')
      episode = undefined
    },
  }
}
