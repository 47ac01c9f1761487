import { boundedMap, isTemplate, type BoundedMap, type Template } from '@vidimus/protocol'
import type { Database } from '../engine/db/index.ts'
import { findVersion } from './store.ts'

const maxCached = 1000
type CachedVersion = { template: Template | undefined }
const caches = new WeakMap<Database, BoundedMap<string, CachedVersion>>()

/** The template with a given hash. A version never changes, so those that were read and validated once are cached. */
export async function readVersion(db: Database, hash: Buffer): Promise<Template | undefined> {
  const versions = caches.get(db) ?? boundedMap<string, CachedVersion>(maxCached)
  caches.set(db, versions)
  const name = hash.toString('base64')
  const known = versions.get(name)
  if (known !== undefined) return known.template
  const found = await findVersion(db, hash)
  const template = isTemplate(found) ? found : undefined
  versions.set(name, { template })
  return template
}
