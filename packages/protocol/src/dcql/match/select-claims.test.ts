import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../json.ts'
import type { ClaimsPath } from '../query.ts'
import { filterClaims } from './filter-claims.ts'
import { selectClaims } from './select-claims.ts'

// OpenID4VP 1.0 §7.3
const arthur: JsonObject = {
  name: 'Arthur Dent',
  address: { street_address: '42 Market Street', locality: 'Milliways', postal_code: '12345' },
  degrees: [
    { type: 'Bachelor of Science', university: 'University of Betelgeuse' },
    { type: 'Master of Science', university: 'University of Betelgeuse' },
  ],
  nationalities: ['British', 'Betelgeusian'],
}

describe('[OID4VP-17] a claims path pointer selects as specified', () => {
  const valid: [path: ClaimsPath, selected: Json[]][] = [
    [['name'], ['Arthur Dent']],
    [['address'], [arthur.address ?? null]],
    [['address', 'street_address'], ['42 Market Street']],
    [
      ['degrees', null, 'type'],
      ['Bachelor of Science', 'Master of Science'],
    ],
    [['nationalities', 1], ['Betelgeusian']],
    [
      ['nationalities', null],
      ['British', 'Betelgeusian'],
    ],
  ]
  test.each(valid)('%j', (path, selected) => {
    expect(selectClaims(arthur, path)).toEqual(selected)
  })

  test('elements without the member are skipped', () => {
    expect(selectClaims({ list: [{ a: 1 }, { b: 2 }] }, ['list', null, 'a'])).toEqual([1])
  })

  test('a claim that is null, false or 0 is selected', () => {
    expect(selectClaims({ a: null }, ['a'])).toEqual([null])
    expect(selectClaims({ a: false }, ['a'])).toEqual([false])
    expect(selectClaims({ a: [0] }, ['a', 0])).toEqual([0])
  })
})

describe('[OID4VP-17] a path without a target selects nothing', () => {
  const wrong: [claims: JsonObject, path: ClaimsPath][] = [
    [arthur, ['surname']],
    [arthur, ['name', 'first']],
    [arthur, ['name', 0]],
    [arthur, ['name', null]],
    [arthur, ['address', null]],
    [arthur, ['nationalities', 2]],
    [arthur, ['nationalities', 'length']],
    [arthur, ['nationalities', '1']],
    [arthur, ['toString']],
    [arthur, ['__proto__']],
    [arthur, ['constructor', 'name']],
    [{ list: [] }, ['list', null]],
    [{ list: [{ a: 1 }, 'b'] }, ['list', null, 'a']],
  ]
  test.each(wrong)('%j %j', (claims, path) => {
    expect(selectClaims(claims, path)).toEqual([])
  })
})

test('[OID4VP-17] an index refers to the issued array, even if elements were not disclosed', () => {
  const nationalities = ['Betelgeusian', 'Krikkitian']
  const issued = new Map([[nationalities as Json[], [1, 3]]])

  expect(selectClaims({ nationalities }, ['nationalities', 1], issued)).toEqual(['Betelgeusian'])
  expect(selectClaims({ nationalities }, ['nationalities', 0], issued)).toEqual([])
  expect(selectClaims({ nationalities }, ['nationalities', 3], issued)).toEqual(['Krikkitian'])
  expect(filterClaims({ nationalities }, [['nationalities', 3]], issued)).toEqual({
    claims: { nationalities: ['Krikkitian'] },
    dropped: [['nationalities', 1]],
  })
})

describe('[OID4VP-19] only requested claims are kept', () => {
  test('and dropped claims are listed by their topmost path', () => {
    const { claims, dropped } = filterClaims(arthur, [
      ['name'],
      ['address', 'locality'],
      ['degrees', null, 'type'],
    ])
    expect(claims).toEqual({
      name: 'Arthur Dent',
      address: { locality: 'Milliways' },
      degrees: [{ type: 'Bachelor of Science' }, { type: 'Master of Science' }],
    })
    expect(dropped).toEqual([
      ['address', 'street_address'],
      ['address', 'postal_code'],
      ['degrees', 0, 'university'],
      ['degrees', 1, 'university'],
      ['nationalities'],
    ])
  })

  test('a path to an object keeps all of it, even if other paths point into it', () => {
    const { claims, dropped } = filterClaims({ address: { a: 1, b: 2 } }, [['address', 'a'], ['address']])
    expect(claims).toEqual({ address: { a: 1, b: 2 } })
    expect(dropped).toEqual([])
  })

  test('without paths nothing is kept', () => {
    expect(filterClaims(arthur, []).claims).toEqual({})
  })

  test('__proto__ is an ordinary claim name', () => {
    const claims = JSON.parse('{"__proto__": {"admin": true}, "name": "Arthur"}') as JsonObject
    expect(selectClaims(claims, ['__proto__', 'admin'])).toEqual([true])

    const kept = filterClaims(claims, [['__proto__']]).claims
    expect(JSON.stringify(kept)).toBe('{"__proto__":{"admin":true}}')
    expect(Object.getPrototypeOf(kept)).toBeNull()
    expect(filterClaims(claims, [['name']]).dropped).toEqual([['__proto__']])
  })
})
