import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { serializeHead, type Head } from '../chain/entry.ts'
import { leafHash, nodeHash } from '../hash.ts'
import { sha256, type Hash } from '../sha256.ts'
import { newHeadsMap, emptyNode, verifyHead } from './heads-map.ts'

const makeHead = (tenant_id: string, seq = 1): Head => ({
  tenant_id,
  seq,
  link: sha256(`${tenant_id} ${seq}`),
})

/** The definition, applied to the whole list: empty, one leaf, or two halves split by the next bit. */
function rootByDefinition(heads: readonly Head[], depth = 0): Hash {
  const [only] = heads
  if (only === undefined) return emptyNode
  if (heads.length === 1) return leafHash(serializeHead(only))
  const bit = ({ tenant_id }: Head) => ((sha256(tenant_id)[depth >> 3] ?? 0) >> (7 - (depth & 7))) & 1
  return nodeHash(
    rootByDefinition(
      heads.filter((head) => bit(head) === 0),
      depth + 1,
    ),
    rootByDefinition(
      heads.filter((head) => bit(head) === 1),
      depth + 1,
    ),
  )
}

test('the root matches the definition, in whatever order heads are added and replaced', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 9 })), { maxLength: 80 }), (steps) => {
      const map = newHeadsMap()
      const newest = new Map<string, Head>()
      for (const [tenant, seq] of steps) {
        const head = makeHead(`tenant ${tenant}`, seq)
        map.set(head)
        newest.set(head.tenant_id, head)
        // Reading the root in between must not leave a stale hash.
        map.root()
      }
      expect(map.root()).toEqual(rootByDefinition([...newest.values()]))
      expect(map.count()).toBe(newest.size)
    }),
    { numRuns: 300 },
  )
})

test('a current head is verified; an earlier head, another tenant and another path are rejected', () => {
  const tenants = Array.from({ length: 1000 }, () => randomUUID())
  const map = newHeadsMap()
  for (const tenant of tenants) map.set(makeHead(tenant))
  for (const tenant of tenants.slice(0, 500)) map.set(makeHead(tenant, 2))
  const root = map.root()

  for (const [index, tenant] of tenants.entries()) {
    const path = map.pathOf(tenant) ?? []
    const head = makeHead(tenant, index < 500 ? 2 : 1)
    expect(map.get(tenant)).toEqual(head)
    expect(verifyHead({ head, path, root })).toBe(true)
    expect(verifyHead({ head: makeHead(tenant, index < 500 ? 1 : 2), path, root })).toBe(false)
    expect(verifyHead({ head: { ...head, tenant_id: randomUUID() }, path, root })).toBe(false)
    expect(verifyHead({ head, path: path.slice(1), root })).toBe(false)
    expect(verifyHead({ head, path: [...path, emptyNode], root })).toBe(false)
  }
  expect(map.pathOf(randomUUID())).toBeUndefined()
})
