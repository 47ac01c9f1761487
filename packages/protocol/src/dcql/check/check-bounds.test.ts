import { describe, expect, test } from 'vitest'
import type { AnyQuery } from '../query.ts'
import { checkBounds, queryBounds } from './check-bounds.ts'

const many = <Element>(count: number, element: Element): Element[] =>
  Array.from({ length: count }, () => element)
const credentials = (count: number, credential: Record<string, unknown>) => ({
  credentials: many(count, credential),
})

type BoundCase = {
  bound: keyof typeof queryBounds
  rule: string
  place?: string
  of: (count: number) => AnyQuery
}

const boundCases: BoundCase[] = [
  {
    bound: 'maxCredentials',
    rule: 'at most 20 credentials, got 21',
    of: (count) => credentials(count, {}),
  },
  {
    bound: 'maxClaims',
    rule: 'at most 200 claims over all credentials, got 201',
    of: (count) => ({
      credentials: [{ claims: many(count - 100, { path: ['a'] }) }, { claims: many(100, {}) }],
    }),
  },
  {
    bound: 'maxClaimSets',
    rule: 'at most 100 claim sets over all credentials, got 101',
    of: (count) => ({ credentials: [{ claim_sets: many(count - 50, ['a']) }, { claim_sets: many(50, []) }] }),
  },
  {
    bound: 'maxClaimSetIds',
    rule: 'at most 1000 claim ids over all claim sets, got 1001',
    of: (count) => ({ credentials: [{ claim_sets: [many(count - 1, 'a'), ['b']] }] }),
  },
  {
    bound: 'maxValues',
    rule: 'at most 1000 values over all claims, got 1001',
    of: (count) => ({
      credentials: [{ claims: [{ values: many(count - 10, 1) }, { values: many(10, 2) }] }],
    }),
  },
  {
    bound: 'maxTypesAndAuthorities',
    rule: 'at most 200 types and authorities over all credentials, got 201',
    of: (count) => ({
      credentials: [
        { meta: { vct_values: many(100, 'a') } },
        { trusted_authorities: [{ type: 'aki', values: many(count - 101, 'a') }] },
      ],
    }),
  },
  {
    bound: 'maxCredentialSets',
    rule: 'at most 20 credential sets, got 21',
    place: 'query.credential_sets',
    of: (count) => ({ credentials: [{}], credential_sets: many(count, { options: [['a']] }) }),
  },
  {
    bound: 'maxCredentialSetIds',
    rule: 'at most 400 options and credential ids over all credential sets, got 401',
    place: 'query.credential_sets',
    of: (count) => ({ credentials: [{}], credential_sets: [{ options: [many(count - 1, 'a')] }] }),
  },
]

describe('[GEN-11] a query is bounded in credentials, claims, claim sets, values, types and credential sets', () => {
  test.each(boundCases)('$bound', ({ bound, rule, place = 'query.credentials', of }) => {
    const limit = queryBounds[bound]
    expect(checkBounds(of(limit))).toEqual([])
    expect(checkBounds(of(limit + 1))).toEqual([{ place, rule }])
  })

  test('members of the wrong type count as empty', () => {
    const odd = { claims: 7, claim_sets: { length: 9 }, meta: null, trusted_authorities: 'all' }
    expect(checkBounds({ credentials: [odd, { claims: [null, 1, { values: 'a' }] }] })).toEqual([])
  })
})
