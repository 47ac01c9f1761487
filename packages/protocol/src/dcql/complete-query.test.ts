import { describe, expect, test } from 'vitest'
import { checkQuery } from './check/check-query.ts'
import { completeQuery, findOmissions } from './complete-query.ts'

describe('[CREATE-5] completes a query', () => {
  test('adds a missing id and a missing meta', () => {
    const query = completeQuery({ credentials: [{ format: 'mso_mdoc' }, { format: 'dc+sd-jwt' }] })
    expect(query.credentials).toEqual([
      { id: 'credential_1', format: 'mso_mdoc', meta: {} },
      { id: 'credential_2', format: 'dc+sd-jwt', meta: {} },
    ])
    expect(checkQuery(query)).toEqual([])
    expect(findOmissions(query)).toEqual([])
  })

  test('names what it adds as violations', () => {
    const rule = 'is missing (OpenID4VP 1.0 section 6.1)'
    expect(findOmissions({ credentials: [{ id: 'pid' }, { meta: {} }] })).toEqual([
      { place: 'query.credentials[0].meta', rule },
      { place: 'query.credentials[1].id', rule },
    ])
  })

  test('never assigns an id that is already used', () => {
    const query = completeQuery({ credentials: [{}, { id: 'credential_1' }, { id: 'credential_3' }, {}, {}] })
    expect(query.credentials.map(({ id }) => id)).toEqual([
      'credential_1_',
      'credential_1',
      'credential_3',
      'credential_4',
      'credential_5',
    ])
  })

  test('leaves everything else unchanged', () => {
    const credential = { id: 7, format: 'unheard_of', meta: null, claims: 'all', later: { a: [1] } }
    const query = { credentials: [credential], credential_sets: [{ anything: true }] }
    expect(completeQuery(query)).toEqual(query)
    expect(completeQuery({ credentials: [{}] })).not.toHaveProperty('credential_sets')
  })

  test('does not modify its input', () => {
    const query = { credentials: [{}] }
    completeQuery(query)
    expect(query).toEqual({ credentials: [{}] })
  })
})
