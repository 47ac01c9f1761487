import { DcqlQuery } from 'dcql'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makePresentedCredential } from '../../../test/presented-credential.ts'
import type { JsonObject } from '../../json.ts'
import { checkQuery } from '../check/check-query.ts'
import type { ClaimsPath, ClaimsQuery, CredentialQuery } from '../query.ts'
import { matchCredential } from './match-credential.ts'

const name = fc.constantFrom('a', 'b', 'c')
const scalar = fc.constantFrom<string | number | boolean>('x', 'y', 1, 2, true, false)
const flat = fc.dictionary(name, scalar, { maxKeys: 3, noNullPrototype: true })
const member = fc.oneof(
  scalar,
  flat,
  fc.array(scalar, { minLength: 1, maxLength: 3 }),
  fc.array(flat, { minLength: 1, maxLength: 3 }),
)
const claims: fc.Arbitrary<JsonObject> = fc.dictionary(name, member, {
  minKeys: 2,
  maxKeys: 3,
  noNullPrototype: true,
})

const component = fc.oneof(name, fc.constantFrom(0, 1, null))
const path: fc.Arbitrary<ClaimsPath> = fc
  .tuple(name, fc.array(component, { maxLength: 2 }))
  .map(([first, rest]) => [first, ...rest])
const values = fc.option(fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 }), { nil: undefined, freq: 2 })
const claimsQueries: fc.Arbitrary<ClaimsQuery[]> = fc
  .uniqueArray(fc.record({ path, values }), {
    minLength: 1,
    maxLength: 4,
    selector: (claim) => JSON.stringify(claim.path),
  })
  .map((list) =>
    list.map((claim, index) => ({
      id: `c${index}`,
      path: claim.path,
      ...(claim.values && { values: claim.values }),
    })),
  )
const query: fc.Arbitrary<CredentialQuery> = claimsQueries.chain((list) => {
  const set = fc.subarray(
    list.map(({ id = '' }) => id),
    { minLength: 1 },
  )
  return fc.option(fc.array(set, { minLength: 1, maxLength: 3 }), { nil: undefined }).map((claim_sets) => ({
    id: 'q',
    format: 'dc+sd-jwt' as const,
    meta: { vct_values: ['urn:eudi:pid:1'] },
    claims: list,
    ...(claim_sets && { claim_sets }),
  }))
})

// `COMPARE_N=10000` runs it at full size.
const n = Number(process.env['COMPARE_N'] ?? 5000)

test(`[OID4VP-17] agrees with an independent implementation of DCQL (N = ${n})`, () => {
  let satisfied = 0
  fc.assert(
    fc.property(query, claims, (credentialQuery, presented) => {
      expect(checkQuery({ credentials: [credentialQuery] })).toEqual([])
      const ours =
        matchCredential(credentialQuery, makePresentedCredential({ claims: presented })).findings.length === 0
      expect(ours).toBe(oracle(credentialQuery, presented))
      satisfied += ours ? 1 : 0
    }),
    { numRuns: n },
  )
  // Otherwise the generator would prove nothing.
  expect(satisfied).toBeGreaterThan(n / 10)
})

function oracle(credentialQuery: CredentialQuery, presented: JsonObject): boolean {
  // Its types are narrower than the JSON that both accept.
  const parsed = DcqlQuery.parse({ credentials: [credentialQuery] } as DcqlQuery.Input)
  DcqlQuery.validate(parsed)
  const credential = {
    credential_format: 'dc+sd-jwt' as const,
    vct: 'urn:eudi:pid:1',
    claims: presented,
    cryptographic_holder_binding: true,
  }
  return DcqlQuery.query(parsed, [credential]).can_be_satisfied
}
