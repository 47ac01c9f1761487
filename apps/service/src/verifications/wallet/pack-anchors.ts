import { deserialize, serialize } from 'node:v8'
import type { Anchor } from '@vidimus/protocol'

/** Anchors in memory that all threads share. */
export type PackedAnchors = Uint8Array<SharedArrayBuffer>

const packed = new WeakMap<readonly Anchor[], PackedAnchors>()

/**
 * Serialises anchors once for all threads. After a change, every waiting response sends them to its thread; copying thousands of them
 * each time would block the process for longer than verifying does.
 */
export function packAnchors(anchors: readonly Anchor[]): PackedAnchors {
  const known = packed.get(anchors)
  if (known !== undefined) return known
  const bytes = serialize(anchors)
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
  shared.set(bytes)
  packed.set(anchors, shared)
  return shared
}

export function unpackAnchors(shared: PackedAnchors): readonly Anchor[] {
  return deserialize(Buffer.from(shared)) // written by `packAnchors`
}
