import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../json.ts'
import { filterClaims } from './filter-claims.ts'
import type { ClaimsPath } from '../query.ts'
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

describe('line 17: a claims path pointer selects what the specification says', () => {
  const right: [path: ClaimsPath, selected: Json[]][] = [
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
  test.each(right)('%j', (path, selected) => {
    expect(selectClaims(arthur, path)).toEqual(selected)
  })

  test('an element without the member is left out, the others stay', () => {
    expect(selectClaims({ list: [{ a: 1 }, { b: 2 }] }, ['list', null, 'a'])).toEqual([1])
  })

  test('a claim that is null, false or 0 is there', () => {
    expect(selectClaims({ a: null }, ['a'])).toEqual([null])
    expect(selectClaims({ a: false }, ['a'])).toEqual([false])
    expect(selectClaims({ a: [0] }, ['a', 0])).toEqual([0])
  })
})

describe('line 17: a path that leads nowhere selects nothing', () => {
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

test('line 17: an index counts as the credential was issued, also where elements were not disclosed', () => {
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

describe('line 19: only what was asked for is kept', () => {
  test('and the rest is named by its topmost place', () => {
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

  test('a path to a whole keeps all of it, whatever other paths point into it', () => {
    const { claims, dropped } = filterClaims({ address: { a: 1, b: 2 } }, [['address', 'a'], ['address']])
    expect(claims).toEqual({ address: { a: 1, b: 2 } })
    expect(dropped).toEqual([])
  })

  test('without paths nothing is', () => {
    expect(filterClaims(arthur, []).claims).toEqual({})
  })

  test('a claim named __proto__ is a claim like any other', () => {
    const claims = JSON.parse('{"__proto__": {"admin": true}, "name": "Arthur"}') as JsonObject
    expect(selectClaims(claims, ['__proto__', 'admin'])).toEqual([true])

    const kept = filterClaims(claims, [['__proto__']]).claims
    expect(JSON.stringify(kept)).toBe('{"__proto__":{"admin":true}}')
    expect(Object.getPrototypeOf(kept)).toBeNull()
    expect(filterClaims(claims, [['name']]).dropped).toEqual([['__proto__']])
  })
})
