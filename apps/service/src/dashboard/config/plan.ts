import type { ConfigChange } from '@vidimus/contract'
import { type Entry, type EntryKind, nameEntry } from './entries.ts'

/** `entry` is what it becomes; for a deletion, what it was. */
export type PlannedChange = { action: ConfigChange['action']; entry: Entry; before?: Entry }
export type ConfigPlan = {
  changes: PlannedChange[]
  unchanged: number
  kept: number
  /** What there is afterwards. */
  after: Entry[]
}

type PlanOptions = {
  /** The kinds that `wanted` lists completely. */
  listed: ReadonlySet<EntryKind>
  prune: boolean
}

/** What turns one configuration into another, in an order in which each step finds what it refers to. */
export function planChanges(
  current: readonly Entry[],
  wanted: readonly Entry[],
  { listed, prune }: PlanOptions,
): ConfigPlan {
  const existing = new Map(current.map((entry) => [nameEntry(entry), entry]))
  const named = new Set(wanted.map(nameEntry))
  const unnamed = current.filter((entry) => listed.has(entry.kind) && !named.has(nameEntry(entry)))
  const changes = wanted.flatMap((entry) => planEntry(entry, existing.get(nameEntry(entry))))
  const deletions = prune
    ? unnamed.map((entry): PlannedChange => ({ action: 'delete', entry, before: entry }))
    : []
  const gone = new Set(deletions.map(({ entry }) => entry))
  return {
    changes: [...changes, ...deletions].toSorted((a, b) => rank(a) - rank(b)),
    unchanged: wanted.length - changes.length,
    kept: unnamed.length - deletions.length,
    after: [...wanted, ...current.filter((entry) => !named.has(nameEntry(entry)) && !gone.has(entry))],
  }
}

function planEntry(entry: Entry, before: Entry | undefined): PlannedChange[] {
  if (before === undefined) return [{ action: 'create', entry }]
  if (before.same === entry.same) return []
  // The webhook for alerts is one that exists or not.
  if (entry.kind === 'alert_webhook' && entry.value === null) return [{ action: 'delete', entry, before }]
  if (before.value === null) return [{ action: 'create', entry, before }]
  return [{ action: 'change', entry, before }]
}

/** Nothing refers to these, and they make room. */
const deletedFirst: readonly EntryKind[] = ['openid_client', 'webhook_endpoint']
const deletedLast: readonly EntryKind[] = ['template', 'registration', 'anchor']
const changed: readonly EntryKind[] = [
  'anchor',
  'trust_policy',
  'registration',
  'registration_settings',
  'template',
  'brand',
  'policies',
  'holder_page',
  'request_log',
  'alert_webhook',
  'webhook_endpoint',
  'openid_client',
]

function rank({ action, entry: { kind } }: PlannedChange): number {
  const isDeleted = action === 'delete'
  if (isDeleted && deletedFirst.includes(kind)) return deletedFirst.indexOf(kind) - deletedFirst.length
  if (isDeleted && deletedLast.includes(kind)) return changed.length + deletedLast.indexOf(kind)
  return changed.indexOf(kind)
}
