import type { TrustList } from '@vidimus/protocol'
import type { Database, Db } from '../../engine/db/index.ts'
import { computeFingerprint } from '../anchors/list-anchors.ts'
import {
  bumpTrustVersion,
  deleteListed,
  putAnchors,
  readListedScopes,
  type ListedScope,
  type NewAnchor,
} from '../anchors/store.ts'
import type { ListSettings } from './read-settings.ts'
import { extendCopy, storeListCopy, recordSettings, type ClaimedList } from './store.ts'

/** Stores a fresh copy and replaces the list's anchors with its own. False if a later copy is stored already. */
export async function storeFreshCopy(
  db: Database,
  { id, environment, url }: ClaimedList,
  { hash, grace_hours }: ListSettings,
  { bytes, ...list }: TrustList & { bytes: Buffer },
): Promise<boolean> {
  const { sequence_number, issued_at, next_update, pointers } = list
  const anchors = mergeAnchors(url, list.anchors)
  return db.transaction(async (tx) => {
    const age = { sequence_number, issued_at, next_update, grace_hours }
    const copy = { id, bytes, settings_hash: hash, pointers, ...age }
    const recorded = await storeListCopy(tx, copy)
    if (recorded === undefined) return false
    const changed = await replaceAnchors(tx, { id, environment }, anchors)
    if (changed || recorded.moved) await bumpTrustVersion(tx)
    return true
  })
}

/** Records that the stored copy is still the published one. False if it has expired, or was read with other settings. */
export async function confirmCopy(
  db: Database,
  { id }: ClaimedList,
  { hash, grace_hours }: ListSettings,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const extended = await extendCopy(tx, { id, settings_hash: hash, grace_hours })
    if (extended?.moved === true) await bumpTrustVersion(tx)
    return extended !== undefined
  })
}

/** Replaces the list's anchors and pointers with those that the current settings accept from the stored copy, perhaps none. */
export async function replaceStoredAnchors(
  db: Database,
  { id, environment, url }: ClaimedList,
  { hash }: ListSettings,
  list: Pick<TrustList, 'anchors' | 'pointers'>,
): Promise<void> {
  const anchors = mergeAnchors(url, list.anchors)
  await db.transaction(async (tx) => {
    await recordSettings(tx, { id, settings_hash: hash, pointers: list.pointers })
    if (await replaceAnchors(tx, { id, environment }, anchors)) await bumpTrustVersion(tx)
  })
}

type ListKey = Pick<ClaimedList, 'id' | 'environment'>

/**
 * Changes only what differs, so that an hourly refresh without news does not change the version, and a long list with one new
 * entry costs one row. The caller has locked the list.
 */
async function replaceAnchors(tx: Db, { id, environment }: ListKey, anchors: NewAnchor[]): Promise<boolean> {
  const before = new Map((await readListedScopes(tx, id)).map((scope) => [nameOf(scope), scope]))
  const listed = new Set(anchors.map(nameOf))
  const gone = [...before.values()].filter((scope) => !listed.has(nameOf(scope)))
  const changed = anchors.filter((anchor) => !isSameScope(before.get(nameOf(anchor)), anchor))
  if (gone.length > 0) await deleteListed(tx, { list_id: id, gone })
  if (changed.length > 0) await putAnchors(tx, { environment, list_id: id, anchors: changed })
  return gone.length + changed.length > 0
}

function nameOf({ fingerprint, role }: Pick<ListedScope, 'fingerprint' | 'role'>): string {
  return `${fingerprint.toString('hex')} ${role}`
}

function isSameScope(before: ListedScope | undefined, after: ListedScope): boolean {
  if (before === undefined || before.entity !== after.entity) return false
  return JSON.stringify(before.document_types) === JSON.stringify(after.document_types)
}

/**
 * A certificate may belong to several services of a list. In each role it is then trusted for the document types of each
 * service. If several entities share it in one role, it belongs to none: nothing says which of them it vouches for.
 */
function mergeAnchors(url: string, listed: TrustList['anchors']): NewAnchor[] {
  const merged = new Map<string, NewAnchor>()
  for (const { certificate, document_types, role, entity: name } of listed) {
    const fingerprint = computeFingerprint(certificate)
    const key = `${fingerprint.toString('hex')} ${role}`
    // No other source can name an entity of this list by accident.
    const entity = name === undefined ? null : `${url} ${name}`
    const before = merged.get(key)
    merged.set(key, {
      fingerprint,
      certificate,
      role,
      entity: before === undefined || before.entity === entity ? entity : null,
      document_types:
        before === undefined
          ? (document_types ?? null)
          : mergeDocumentTypes(before.document_types, document_types),
    })
  }
  return [...merged.values()]
}

function mergeDocumentTypes(
  before: readonly string[] | null,
  more: readonly string[] | undefined,
): readonly string[] | null {
  return before === null || more === undefined ? null : [...new Set([...before, ...more])]
}
