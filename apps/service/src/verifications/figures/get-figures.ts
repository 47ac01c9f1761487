import type { Environment, Figures, FigureQuery } from '@vidimus/contract'
import type { Context } from '../../context.ts'
import {
  maxCounted,
  maxSplits,
  readCounted,
  readRange,
  readUncounted,
  type OutcomeFilter,
  type Split,
} from './store.ts'
import { rankFailures, sumDays, sumOutcomes } from './sum-outcomes.ts'

const day_ms = 86_400_000
const maxFailures = 5

/** Devices come without their names. */
export type SessionFigures = Omit<Figures, 'devices'> & { devices: { id: string; created: number }[] }

/**
 * Outcomes, times to answer and the funnel of the last days. Days that were counted in advance come from a few rows each; of the
 * others, the newest sessions are counted.
 */
export async function getSessionFigures(
  { db }: Pick<Context, 'db'>,
  scope: { tenant_id: string; environment: Environment },
  { days, template, device_id }: FigureQuery,
): Promise<SessionFigures> {
  const { first, today, counted_through } = await readRange(db, Number(days))
  const filter: OutcomeFilter = { template: template ?? null, device_id: device_id ?? null }
  const since = counted_through < first ? first : dayAfter(counted_through)
  const [past, recent] = await Promise.all([
    readCounted(db, { ...scope, first, through: counted_through }, filter),
    readUncounted(db, { ...scope, since }, filter),
  ])
  const counts = [...past.counts, ...recent.counts]
  return {
    total: sumOutcomes(counts),
    days: sumDays(listDays(first, today), counts),
    top_failures: rankFailures(counts, maxFailures),
    templates: mergeSplits(past.templates, recent.templates).map(({ name, sessions }) => ({
      key: name,
      created: sessions,
    })),
    devices: mergeSplits(past.devices, recent.devices).map(({ name, sessions }) => ({
      id: name,
      created: sessions,
    })),
    sampled: recent.scanned >= maxCounted,
  }
}

function listDays(first: string, last: string): string[] {
  const count = (Date.parse(last) - Date.parse(first)) / day_ms + 1
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(first) + index * day_ms).toISOString().slice(0, 10),
  )
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + day_ms).toISOString().slice(0, 10)
}

/** The most frequent of both. */
function mergeSplits(past: readonly Split[], recent: readonly Split[]): Split[] {
  const sums = new Map<string, number>()
  for (const { name, sessions } of [...past, ...recent]) sums.set(name, (sums.get(name) ?? 0) + sessions)
  return Array.from(sums, ([name, sessions]) => ({ name, sessions }))
    .toSorted((a, b) => b.sessions - a.sessions || (a.name < b.name ? -1 : 1))
    .slice(0, maxSplits)
}
