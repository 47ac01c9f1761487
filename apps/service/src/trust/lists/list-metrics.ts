import { Gauge, type Registry } from 'prom-client'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { type ListState, readLists } from './store.ts'

/** How often the state of the lists is read for the metrics. */
export const listMetricsInterval_ms = 5000

type ListMetric = { name: string; help: string; value: (list: ListState) => number }

const listMetrics: ListMetric[] = [
  {
    name: 'vidimus_trust_list_stale',
    help: '1 while a trust list has not been refreshed for hours, or has expired.',
    value: ({ stale, expired }) => (stale || expired ? 1 : 0),
  },
  {
    name: 'vidimus_trust_list_refreshed_timestamp_seconds',
    help: 'When a trust list was last refreshed; 0 for never.',
    value: ({ refreshed_at }) => toSeconds(refreshed_at),
  },
  {
    name: 'vidimus_trust_list_trusted_until_timestamp_seconds',
    help: 'Until when the anchors of a trust list are trusted unless it is refreshed.',
    value: ({ trusted_until }) => toSeconds(trusted_until),
  },
  {
    name: 'vidimus_trust_list_anchors',
    help: 'How many anchors of a trust list are in effect.',
    value: ({ expired, anchors }) => (expired ? 0 : anchors),
  },
]

/**
 * Registers the metrics of the trust lists and returns a function that updates them. Every process updates them, so that one that
 * refreshes no lists shows a stale list too; never during a scrape, which must not wait for the database. The operator
 * configures the lists, or one that points to them, so their URLs may be labels.
 */
export function openListMetrics({ db, registry }: { db: Db; registry: Registry }): () => Promise<void> {
  const gauges = listMetrics.map((measure) => ({
    ...measure,
    gauge: new Gauge({
      name: measure.name,
      help: measure.help,
      labelNames: ['environment', 'list'] as const,
      // Several processes on one port report the same list.
      registers: [registry],
    }),
  }))
  return async () => {
    const lists = await readLists(db).catch((error: unknown) => {
      // Nothing is known about the lists while the database is unavailable.
      for (const { gauge } of gauges) gauge.reset()
      throw error
    })
    for (const { gauge, value } of gauges) {
      gauge.reset()
      for (const list of lists) gauge.set({ environment: list.environment, list: list.url }, value(list))
    }
  }
}

function toSeconds(time: string | null): number {
  return time === null ? 0 : Date.parse(time) / 1000
}

/** A list is refreshed every hour. If that fails, it is trusted for days: long enough to wait before anybody is told. */
const notice_ms = 2 * 86_400_000

/** Whether a list has expired, or will soon because it cannot be refreshed. */
export function isListEnding(
  { expired, stale, trusted_until }: Pick<ListState, 'expired' | 'stale' | 'trusted_until'>,
  now_ms: number,
): boolean {
  return expired || (stale && (trusted_until === null || Date.parse(trusted_until) - now_ms < notice_ms))
}

/** The state of every trust list. */
export async function listTrustLists({ db }: Pick<Context, 'db'>): Promise<ListState[]> {
  return readLists(db)
}
