import { isTemplate, type Template } from '@vidimus/protocol'
import type { Database } from '../platform/db/open.ts'
import { findVersion } from './store.ts'

const maxCached = 1000
const caches = new WeakMap<Database, Map<string, Template | undefined>>()

/** The template with a given hash. A version never changes, so those that were read and validated once are cached. */
export async function readVersion(db: Database, hash: Buffer): Promise<Template | undefined> {
  const versions = caches.get(db) ?? new Map<string, Template | undefined>()
  caches.set(db, versions)
  const name = hash.toString('base64')
  if (!versions.has(name)) {
    const found = await findVersion(db, hash)
    versions.set(name, isTemplate(found) ? found : undefined)
    const [oldest] = versions.keys()
    if (versions.size > maxCached && oldest !== undefined) versions.delete(oldest)
  }
  return versions.get(name)
}
