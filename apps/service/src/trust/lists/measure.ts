import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../../platform/db/open.ts'
import { readLists, type ListState } from './store.ts'

type Measure = { name: string; help: string; value: (list: ListState) => number }

const measures: Measure[] = [
  {
    name: 'vidimus_trust_list_stale',
    help: '1 while a trust list has not been refreshed for hours, or has run out.',
    value: ({ stale, lapsed }) => (stale || lapsed ? 1 : 0),
  },
  {
    name: 'vidimus_trust_list_refreshed_timestamp_seconds',
    help: 'When a trust list was last refreshed; 0 for never.',
    value: ({ refreshed_at }) => secondsOf(refreshed_at),
  },
  {
    name: 'vidimus_trust_list_trusted_until_timestamp_seconds',
    help: 'Until when the anchors of a trust list stand unless it is refreshed.',
    value: ({ trusted_until }) => secondsOf(trusted_until),
  },
  {
    name: 'vidimus_trust_list_anchors',
    help: 'How many anchors stand by a trust list.',
    value: ({ lapsed, anchors }) => (lapsed ? 0 : anchors),
  },
]

/**
 * Tells the metrics of the trust lists. Their state is read when the metrics are, so that a process that refreshes none
 * tells of a stale one too. The lists are the operator's, so their addresses may be labels.
 */
export function measureLists({ db, registry }: { db: Db; registry: Registry }): void {
  let reading: Promise<ListState[]> | undefined
  const read = () =>
    (reading ??= readLists(db)
      // The database is away: nothing is known of the lists, and the other metrics are wanted all the more.
      .catch(() => [])
      .finally(() => (reading = undefined)))
  for (const measure of measures) registry.registerMetric(gaugeOf(measure, read))
}

function gaugeOf({ name, help, value }: Measure, read: () => Promise<ListState[]>) {
  return new Gauge({
    name,
    help,
    labelNames: ['environment', 'list'] as const,
    registers: [],
    async collect() {
      const lists = await read()
      this.reset()
      for (const list of lists) this.set({ environment: list.environment, list: list.url }, value(list))
    },
  })
}

function secondsOf(time: string | null): number {
  return time === null ? 0 : Date.parse(time) / 1000
}
