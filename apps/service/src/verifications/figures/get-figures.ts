import type { DayFigures, Environment, FigureCounts, FigureQuery, Figures } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { type OutcomeCount, type OutcomeFilter, maxCounted, readOutcomes, readRange } from './store.ts'

const day_ms = 86_400_000
const maxFailures = 5

/** Devices come without their names. */
type VerificationFigures = Omit<Figures, 'devices'> & { devices: { id: string; created: number }[] }

/**
 * Outcomes, response times and the funnel of the last days. What was counted in advance comes from a few rows for each day; of the
 * other verifications the newest are counted.
 */
export async function getVerificationFigures(
  { db }: Pick<Context, 'db'>,
  scope: { tenant_id: string; environment: Environment },
  { days, template, device_id }: FigureQuery,
): Promise<VerificationFigures> {
  const { today, ...range } = await readRange(db, Number(days))
  const filter: OutcomeFilter = { template: template ?? null, device_id: device_id ?? null }
  const { counts, templates, devices, scanned } = await readOutcomes(db, { ...scope, ...range }, filter)
  return {
    total: sumOutcomes(counts),
    days: sumDays(listDays(range.first, today), counts),
    top_failures: rankFailures(counts, maxFailures),
    templates: templates.map(({ name, verifications }) => ({ key: name, created: verifications })),
    devices: devices.map(({ name, verifications }) => ({ id: name, created: verifications })),
    sampled: scanned >= maxCounted,
  }
}

function listDays(first: string, last: string): string[] {
  const count = (Date.parse(last) - Date.parse(first)) / day_ms + 1
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(first) + index * day_ms).toISOString().slice(0, 10),
  )
}

/** The upper limits of the buckets of response times, as the database has them: each is 1.25 times the one before. */
const firstLimit_seconds = 0.25
const growth = 1.25

/** The figures of verifications that were counted by what they have in common. */
export function sumOutcomes(counts: readonly OutcomeCount[]): FigureCounts {
  const total = { created: 0, opened: 0, completed: 0, failed: 0, declined: 0, expired: 0, pending: 0 }
  for (const { outcome, opened, verifications } of counts) {
    total.created += verifications
    total[outcome] += verifications
    if (opened) total.opened += verifications
  }
  const median_seconds = estimateQuantile(counts, 0.5)
  const p95_seconds = estimateQuantile(counts, 0.95)
  return {
    ...total,
    ...(median_seconds !== undefined && { median_seconds }),
    ...(p95_seconds !== undefined && { p95_seconds }),
  }
}

/** The figures of each day, also of days without verifications. */
function sumDays(days: readonly string[], counts: readonly OutcomeCount[]): DayFigures[] {
  const byDay = Map.groupBy(counts, ({ day }) => day)
  return days.map((day) => ({ day, ...sumOutcomes(byDay.get(day) ?? []) }))
}

/** The most frequent failures, also those that the holder chose. */
export function rankFailures(
  counts: readonly OutcomeCount[],
  max: number,
): { code: string; count: number }[] {
  const byCode = Map.groupBy(
    counts.filter(({ error_code }) => error_code !== ''),
    ({ error_code }) => error_code,
  )
  return Array.from(byCode, ([code, found]) => ({
    code,
    count: found.reduce((sum, { verifications }) => sum + verifications, 0),
  }))
    .toSorted((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
    .slice(0, max)
}

/** A quantile of the response times: the middle of its bucket, so that it is off by an eighth at most. */
function estimateQuantile(counts: readonly OutcomeCount[], quantile: number): number | undefined {
  const byBucket = new Map<number, number>()
  let all = 0
  for (const { response_bucket, verifications } of counts) {
    if (response_bucket === 0) continue
    byBucket.set(response_bucket, (byBucket.get(response_bucket) ?? 0) + verifications)
    all += verifications
  }
  if (all === 0) return undefined
  let below = 0
  for (const bucket of [...byBucket.keys()].toSorted((a, b) => a - b)) {
    below += byBucket.get(bucket) ?? 0
    if (below >= quantile * all) return firstLimit_seconds * growth ** (bucket - 0.5)
  }
  return undefined
}
