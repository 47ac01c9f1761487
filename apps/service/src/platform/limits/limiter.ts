import type { Config } from '../../config.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { writeBudgets, type Budgets, type Draw, type Spend, type Standing } from './budgets.ts'
import { localSpender } from './spend-locally.ts'

export type Limiter = {
  /** Draws on a request's budgets. Empty when limits are off. Never fails: without Redis this process counts alone. */
  draw(draws: readonly Draw[]): Promise<readonly Standing[]>
  budgets: Budgets | undefined
}

export type OpenLimiter = {
  config: Pick<Config, 'RATE_LIMITS'>
  /** Budgets shared by all nodes, where there is a Redis. */
  shared: ((budgets: Budgets) => Spend) | undefined
  log: Log
  metrics: Metrics
}

/** After a failure Redis is left alone for this long; then one request asks it while the others go on counting locally. */
const retryAfter_ms = 500

export function openLimiter({ config, shared, log, metrics }: OpenLimiter): Limiter {
  if (config.RATE_LIMITS === 'off') return { budgets: undefined, draw: async () => [] }
  const budgets: Budgets = { ...config.RATE_LIMITS, ...writeBudgets }
  const spendLocally = localSpender(budgets)
  const spendShared = shared?.(budgets)
  let away = spendShared === undefined
  let askAgainAt = spendShared === undefined ? Number.POSITIVE_INFINITY : 0
  metrics.limiterShared.set(away ? 0 : 1)

  return {
    budgets,
    async draw(draws) {
      if (spendShared === undefined || (away && performance.now() < askAgainAt)) return local(draws)
      // While it is away, only this request finds out whether it is back.
      if (away) askAgainAt = performance.now() + retryAfter_ms
      try {
        const standings = await spendShared(draws)
        if (away) turn(false)
        return standings
      } catch (error) {
        // Anything Redis can answer with, a time-out included: budgets are no reason to refuse a request (LIMIT-3).
        askAgainAt = performance.now() + retryAfter_ms
        if (!away) turn(true, error)
        return local(draws)
      }
    },
  }

  function local(draws: readonly Draw[]): Standing[] {
    metrics.limiterLocal.inc()
    return spendLocally(draws)
  }

  function turn(nowAway: boolean, error?: unknown): void {
    away = nowAway
    metrics.limiterShared.set(away ? 0 : 1)
    if (away) log.warn({ err: error }, 'Redis is away: this process counts its budgets alone')
    else log.info('Redis is back: budgets are shared again')
  }
}
