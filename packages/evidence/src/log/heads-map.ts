import { sameBytes } from '../bytes.ts'
import { serializeHead, type Head } from '../chain/entry.ts'
import { leafHash, nodeHash } from '../hash.ts'
import { hash_bytes, sha256, type Hash } from '../sha256.ts'

type Leaf = { key: Hash; hash: Hash; head: Head }
type Branch = { sides: [Node | undefined, Node | undefined]; hash: Hash | undefined }
type Node = Leaf | Branch

/** Stands where no tenant is. */
export const emptyNode: Hash = new Uint8Array(hash_bytes)

/**
 * The heads of all tenants as they stand, in a tree in which a tenant has one place: the bits of its id's hash lead there
 * from the root, as far down as another tenant shares them. A log alone shows that a head was once the newest; this shows
 * that it still is, because two heads of one tenant cannot both be in the tree.
 */
export type HeadsMap = {
  count(): number
  get(tenantId: string): Head | undefined
  all(): Generator<Head>
  set(head: Head): void
  root(): Hash
  /** The siblings from the root down to the tenant's leaf. */
  pathOf(tenantId: string): Hash[] | undefined
}

export function newHeadsMap(): HeadsMap {
  let top: Node | undefined
  let count = 0
  const find = (tenantId: string) => descend(top, keyOf(tenantId))
  return {
    count: () => count,
    get: (tenantId) => find(tenantId)?.leaf.head,
    all: () => walk(top),
    set(head) {
      if (find(head.tenant_id) === undefined) count += 1
      const leaf = { key: keyOf(head.tenant_id), hash: leafHash(serializeHead(head)), head }
      top = insert(top, leaf, 0)
    },
    root: () => hashOf(top),
    pathOf: (tenantId) => find(tenantId)?.siblings.map(hashOf),
  }
}

export type HeadProof = { head: Head; path: readonly Hash[]; root: Hash }

/** Whether this is the tenant's head in the tree with this root. */
export function verifyHead({ head, path, root }: HeadProof): boolean {
  const place = keyOf(head.tenant_id)
  if (path.length > place.length * 8) return false
  const top = path.reduceRight(
    (hash, sibling, depth) => (bitOf(place, depth) === 1 ? nodeHash(sibling, hash) : nodeHash(hash, sibling)),
    leafHash(serializeHead(head)),
  )
  return sameBytes(top, root)
}

function keyOf(tenantId: string): Hash {
  return sha256(tenantId)
}

/** Walks down to the leaf of a place, noting what lies on the other side of each branch. */
function descend(top: Node | undefined, place: Hash) {
  const siblings: (Node | undefined)[] = []
  let node = top
  while (node !== undefined && 'sides' in node) {
    const bit = bitOf(place, siblings.length)
    siblings.push(node.sides[1 - bit])
    node = node.sides[bit]
  }
  return node !== undefined && sameBytes(node.key, place) ? { leaf: node, siblings } : undefined
}

function* walk(node: Node | undefined): Generator<Head> {
  if (node === undefined) return
  if ('key' in node) yield node.head
  else for (const side of node.sides) yield* walk(side)
}

function insert(node: Node | undefined, leaf: Leaf, depth: number): Node {
  if (node === undefined) return leaf
  if ('key' in node && sameBytes(node.key, leaf.key)) return leaf
  const branch: Branch = 'sides' in node ? node : insertInto(emptyBranch(), node, depth)
  return insertInto(branch, leaf, depth)
}

function insertInto(branch: Branch, leaf: Leaf, depth: number): Branch {
  const bit = bitOf(leaf.key, depth)
  branch.sides[bit] = insert(branch.sides[bit], leaf, depth + 1)
  branch.hash = undefined
  return branch
}

function emptyBranch(): Branch {
  return { sides: [undefined, undefined], hash: undefined }
}

function hashOf(node: Node | undefined): Hash {
  if (node === undefined) return emptyNode
  if ('key' in node) return node.hash
  node.hash ??= nodeHash(hashOf(node.sides[0]), hashOf(node.sides[1]))
  return node.hash
}

function bitOf(place: Hash, depth: number): 0 | 1 {
  const byte = place[Math.floor(depth / 8)] ?? 0
  return ((byte >> (7 - (depth % 8))) & 1) === 1 ? 1 : 0
}
