import { describe, expect, test } from 'vitest'
import { checkQuery } from './check/check-query.ts'
import { completeQuery } from './complete-query.ts'

describe('[CREATE-5] a query is completed where it can be', () => {
  test('a missing id is assigned, a missing meta becomes {}', () => {
    const query = completeQuery({ credentials: [{ format: 'mso_mdoc' }, { format: 'dc+sd-jwt' }] })
    expect(query.credentials).toEqual([
      { id: 'credential_1', format: 'mso_mdoc', meta: {} },
      { id: 'credential_2', format: 'dc+sd-jwt', meta: {} },
    ])
    expect(checkQuery(query)).toEqual([])
  })

  test('an assigned id never meets one that is taken', () => {
    const query = completeQuery({ credentials: [{}, { id: 'credential_1' }, { id: 'credential_3' }, {}, {}] })
    expect(query.credentials.map(({ id }) => id)).toEqual([
      'credential_1_',
      'credential_1',
      'credential_3',
      'credential_4',
      'credential_5',
    ])
  })

  test('everything else is passed on as it came', () => {
    const credential = { id: 7, format: 'unheard_of', meta: null, claims: 'all', later: { a: [1] } }
    const query = { credentials: [credential], credential_sets: [{ anything: true }] }
    expect(completeQuery(query)).toEqual(query)
    expect(completeQuery({ credentials: [{}] })).not.toHaveProperty('credential_sets')
  })

  test('the query that came is left alone', () => {
    const query = { credentials: [{}] }
    completeQuery(query)
    expect(query).toEqual({ credentials: [{}] })
  })
})
