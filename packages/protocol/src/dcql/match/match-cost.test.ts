import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makePresentedCredential } from '../../../test/presented-credential.ts'
import type { ClaimsQuery, CredentialQuery } from '../query.ts'
import { matchClaims } from './match-claims.ts'

type Sizes = { claims: number; sets: number; idsInSet: number; values: number }

/** Counts every read of an element of the query's lists and of the credential's claims. */
function countReads({ claims, sets, idsInSet, values }: Sizes): number {
  let reads = 0
  const counted = <Value extends object>(value: Value): Value =>
    new Proxy(value, {
      get(target, name, receiver) {
        if (typeof name === 'string' && name !== 'length') reads += 1
        return Reflect.get(target, name, receiver)
      },
    })
  const requested = Array.from({ length: claims }, (_, index): ClaimsQuery => ({
    id: `c${index}`,
    path: [`c${index}`],
    values: counted(Array.from({ length: values }, (_value, number) => number)),
  }))
  // No set is satisfied: every claim has a value that was not requested.
  const claim_sets = Array.from({ length: sets }, (_, set) =>
    counted(Array.from({ length: idsInSet }, (_id, place) => `c${(set + place) % claims}`)),
  )
  const presented = counted(Object.fromEntries(requested.map(({ id = '' }) => [id, 'no such value'])))
  const query: CredentialQuery = { id: 'q', format: 'dc+sd-jwt', meta: {}, claims: requested, claim_sets }
  const { findings } = matchClaims(query, makePresentedCredential({ claims: presented }))
  expect(findings.length).toBeGreaterThan(0)
  return reads
}

const readsPerElement = 4

test('[GEN-11] matching reads each claim, value and set a constant number of times (N = 100)', () => {
  const size = fc.integer({ min: 1, max: 60 })
  fc.assert(
    fc.property(fc.record({ claims: size, sets: size, idsInSet: size, values: size }), (sizes) => {
      const elements = sizes.claims * (1 + sizes.values) + sizes.sets * (1 + sizes.idsInSet)
      expect(countReads(sizes)).toBeLessThanOrEqual(readsPerElement * elements)
    }),
    { numRuns: 100 },
  )
})

test('[GEN-11] doubling both values and claim sets doubles the reads, and does not quadruple them', () => {
  const once = countReads({ claims: 1, sets: 500, idsInSet: 1, values: 500 })
  const twice = countReads({ claims: 1, sets: 1000, idsInSet: 1, values: 1000 })
  expect(twice / once).toBeLessThan(2.1)
})
