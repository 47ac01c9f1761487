import type { Budgets, Draw, Standing } from './budgets.ts'

/** The most budgets that are remembered. Past it all are forgotten: with that many callers, limits per process mean little. */
const mostBudgets = 200_000

type Window = { used: number; ends: number }

/** Budgets in this process's memory, for when Redis is away. */
export function localSpender(budgets: Budgets): (draws: readonly Draw[], now?: number) => Standing[] {
  const windows = new Map<string, Window>()

  return (draws, now = performance.now()) => {
    const standings: Standing[] = []
    for (const { budget, holder } of draws) {
      const { requests, seconds } = budgets[budget]
      const window = open(`${budget}:${holder}`, now, seconds * 1000)
      window.used += 1
      standings.push({ budget, used: window.used, reset_ms: window.ends - now })
      if (window.used > requests) break
    }
    return standings
  }

  function open(name: string, now: number, length_ms: number): Window {
    const current = windows.get(name)
    if (current !== undefined && current.ends > now) return current
    if (windows.size >= mostBudgets) windows.clear()
    const fresh = { used: 0, ends: now + length_ms }
    windows.set(name, fresh)
    return fresh
  }
}
