import type { Database } from '../platform/db/open.ts'
import { findVersion } from './store.ts'

const maxKept = 1000
const kept = new WeakMap<Database, Map<string, unknown>>()

/** The template that a hash names. A version never changes, so what was read once is kept; the oldest go first. */
export async function readVersion(db: Database, hash: Buffer): Promise<unknown> {
  const versions = kept.get(db) ?? new Map<string, unknown>()
  kept.set(db, versions)
  const name = hash.toString('base64')
  if (!versions.has(name)) {
    versions.set(name, await findVersion(db, hash))
    const [oldest] = versions.keys()
    if (versions.size > maxKept && oldest !== undefined) versions.delete(oldest)
  }
  return versions.get(name)
}
