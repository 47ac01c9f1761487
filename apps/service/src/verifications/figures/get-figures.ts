import type { Environment, Figures, FigureQuery } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { maxCounted, readOutcomes, readRange, type OutcomeFilter } from './store.ts'
import { rankFailures, sumDays, sumOutcomes } from './sum-outcomes.ts'

const day_ms = 86_400_000
const maxFailures = 5

/** Devices come without their names. */
export type SessionFigures = Omit<Figures, 'devices'> & { devices: { id: string; created: number }[] }

/**
 * Outcomes, times to answer and the funnel of the last days. What was counted in advance comes from a few rows for each day; of the
 * other sessions the newest are counted.
 */
export async function getSessionFigures(
  { db }: Pick<Context, 'db'>,
  scope: { tenant_id: string; environment: Environment },
  { days, template, device_id }: FigureQuery,
): Promise<SessionFigures> {
  const { today, ...range } = await readRange(db, Number(days))
  const filter: OutcomeFilter = { template: template ?? null, device_id: device_id ?? null }
  const { counts, templates, devices, scanned } = await readOutcomes(db, { ...scope, ...range }, filter)
  return {
    total: sumOutcomes(counts),
    days: sumDays(listDays(range.first, today), counts),
    top_failures: rankFailures(counts, maxFailures),
    templates: templates.map(({ name, sessions }) => ({ key: name, created: sessions })),
    devices: devices.map(({ name, sessions }) => ({ id: name, created: sessions })),
    sampled: scanned >= maxCounted,
  }
}

function listDays(first: string, last: string): string[] {
  const count = (Date.parse(last) - Date.parse(first)) / day_ms + 1
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(first) + index * day_ms).toISOString().slice(0, 10),
  )
}
