import { sameBytes } from '../bytes.ts'
import { serializeHead, type Head } from '../chain/entry.ts'
import { leafHash, nodeHash } from '../hash.ts'
import { hash_bytes, sha256, type Hash } from '../sha256.ts'

type Leaf = { key: Hash; hash: Hash; head: Head }
type Branch = { sides: [Node | undefined, Node | undefined]; hash: Hash | undefined }
type Node = Leaf | Branch

/** The hash of a subtree without tenants. */
export const emptyNode: Hash = new Uint8Array(hash_bytes)

/**
 * The current heads of all tenants in a prefix tree: the bits of the hash of a tenant's id lead from the root to its leaf, as
 * deep as needed to distinguish it from other tenants. A log alone proves that a head was once the newest; this tree proves that it
 * still is, because it cannot contain two heads of one tenant.
 */
export type HeadsMap = {
  count(): number
  get(tenant_id: string): Head | undefined
  all(): Generator<Head>
  set(head: Head): void
  root(): Hash
  /** The siblings from the root down to the tenant's leaf. */
  pathOf(tenant_id: string): Hash[] | undefined
}

export function newHeadsMap(): HeadsMap {
  let top: Node | undefined
  let count = 0
  const find = (tenant_id: string) => descend(top, keyOf(tenant_id))
  return {
    count: () => count,
    get: (tenant_id) => find(tenant_id)?.leaf.head,
    all: () => walk(top),
    set(head) {
      if (find(head.tenant_id) === undefined) count += 1
      const leaf = { key: keyOf(head.tenant_id), hash: leafHash(serializeHead(head)), head }
      top = insert(top, leaf, 0)
    },
    root: () => hashOf(top),
    pathOf: (tenant_id) => find(tenant_id)?.siblings.map(hashOf),
  }
}

export type HeadProof = { head: Head; path: readonly Hash[]; root: Hash }

/** Whether this is the tenant's head in the tree with the given root. */
export function verifyHead({ head, path, root }: HeadProof): boolean {
  const key = keyOf(head.tenant_id)
  if (path.length > key.length * 8) return false
  const top = path.reduceRight(
    (hash, sibling, depth) => (bitOf(key, depth) === 1 ? nodeHash(sibling, hash) : nodeHash(hash, sibling)),
    leafHash(serializeHead(head)),
  )
  return sameBytes(top, root)
}

function keyOf(tenant_id: string): Hash {
  return sha256(tenant_id)
}

/** Descends to the leaf of a key and collects the sibling at each branch. */
function descend(top: Node | undefined, key: Hash) {
  const siblings: (Node | undefined)[] = []
  let node = top
  while (node !== undefined && 'sides' in node) {
    const bit = bitOf(key, siblings.length)
    siblings.push(node.sides[1 - bit])
    node = node.sides[bit]
  }
  return node !== undefined && sameBytes(node.key, key) ? { leaf: node, siblings } : undefined
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

function bitOf(key: Hash, depth: number): 0 | 1 {
  const byte = key[Math.floor(depth / 8)] ?? 0
  return ((byte >> (7 - (depth % 8))) & 1) === 1 ? 1 : 0
}
