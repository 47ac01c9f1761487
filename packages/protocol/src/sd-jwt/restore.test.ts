import { describe, expect, test } from 'vitest'
import { rfc9901Presentation, rfc9901Recursive, rfc9901Withheld } from '../../test/published-examples.ts'
import { digest, disclose } from '../../test/sd-jwt.ts'
import { encodeJson } from '../../test/sign.ts'
import { readJws } from '../crypto/read-jws.ts'
import { InputError } from '../input-error.ts'
import { restoreClaims } from './restore.ts'

const restore = (payload: Record<string, unknown>, disclosures: string[]): unknown =>
  structuredClone(restoreClaims(payload, disclosures).claims)

describe('[OID4VP-21] the examples of RFC 9901', () => {
  const [jwt = '', ...parts] = rfc9901Presentation.split('~')
  const { payload } = readJws(jwt)
  const disclosures = parts.slice(0, -1)
  const { iss, iat, exp, sub, cnf } = payload
  const address = { street_address: '123 Main St', locality: 'Anytown', region: 'Anystate', country: 'US' }

  test('§5.2: the claims that the holder disclosed', () => {
    expect(restore(payload, disclosures)).toEqual({
      iss,
      iat,
      exp,
      sub,
      cnf,
      address,
      nationalities: ['US'],
      family_name: 'Doe',
      given_name: 'John',
    })
  })

  test('§5.1: all claims, and none', () => {
    expect(restore(payload, [...disclosures, ...rfc9901Withheld])).toMatchObject({
      nationalities: ['US', 'DE'],
      email: 'johndoe@example.com',
      phone_number_verified: true,
      updated_at: 1570000000,
    })
    expect(restore(payload, [])).toEqual({ iss, iat, exp, sub, cnf, nationalities: [] })
  })

  test('§6.3: a disclosure inside a disclosure', () => {
    const { payload: recursive, parts: members, whole } = rfc9901Recursive
    const schulpforta = { locality: 'Schulpforta', region: 'Sachsen-Anhalt', country: 'DE' }
    expect(restore(recursive, [...members, whole])).toMatchObject({ address: schulpforta })
    expect(restore(recursive, [whole])).toMatchObject({ address: {} })
    expect(() => restore(recursive, members)).toThrow('does not match any digest')
  })
})

describe('[OID4VP-21] arrays', () => {
  test('an undisclosed element is removed, and the others keep their issued index', () => {
    const disclosed = disclose('second')
    const array = ['first', { '...': digest('decoy') }, { '...': digest(disclosed) }]
    const { claims, issued_indexes } = restoreClaims({ array }, [disclosed])
    expect(claims['array']).toEqual(['first', 'second'])
    expect([...issued_indexes.values()]).toEqual([[0, 2]])
  })

  test('nested arrays are restored', () => {
    const inner = disclose('deep')
    const outer = disclose([{ '...': digest(inner) }])
    expect(restore({ array: [{ '...': digest(outer) }] }, [inner, outer])).toEqual({ array: [['deep']] })
  })
})

test('[OID4VP-21] the digest covers the text as received, including white space', () => {
  const spaced = Buffer.from('[ "salt" ,\n"name", "ü" ]').toString('base64url')
  expect(restore({ _sd: [digest(spaced)] }, [spaced])).toEqual({ name: 'ü' })
})

test('[OID4VP-21] _sd_alg names the hash; unknown algorithms are refused', () => {
  const name = disclose('name', 'value')
  expect(restore({ _sd: [digest(name)], _sd_alg: 'sha-256' }, [name])).toEqual({ name: 'value' })
  expect(() => restore({ _sd: [digest(name)], _sd_alg: 'sha-512' }, [name])).toThrow(
    'does not match any digest',
  )
  for (const unknown of ['md5', 'sha-1', 'SHA-256', 'constructor', 7, null]) {
    expect(() => restore({ _sd: [digest(name)], _sd_alg: unknown }, [name])).toThrow('_sd_alg')
  }
})

describe('[OID4VP-21] refuses', () => {
  const name = disclose('name', 'value')
  const element = disclose('value')
  const refused: [string, Record<string, unknown>, string[]][] = [
    ['a disclosure without a digest', {}, [name]],
    ['an altered disclosure', { _sd: [digest(name)] }, [disclose('name', 'another')]],
    ['a disclosure that is included twice', { _sd: [digest(name)] }, [name, name]],
    ['a digest that occurs twice in one list', { _sd: [digest(name), digest(name)] }, [name]],
    ['a digest that occurs in two lists', { _sd: [digest(name)], inner: { _sd: [digest(name)] } }, [name]],
    ['a decoy that occurs twice', { _sd: ['decoy'], inner: { _sd: ['decoy'] } }, []],
    ['a disclosure that overwrites a claim', { name: 'open', _sd: [digest(name)] }, [name]],
    ['two disclosures of one name', twoOfOneName()[0], twoOfOneName()[1]],
    ['an array element disclosed as a claim', { _sd: [digest(element)] }, [element]],
    ['a claim disclosed as an array element', { array: [{ '...': digest(name) }] }, [name]],
    ['a digest in an array with another member', { array: [{ '...': digest(element), more: 1 }] }, [element]],
    ['a digest that is not text', { array: [{ '...': 7 }] }, []],
    ['an _sd that is not a list', { _sd: digest(name) }, [name]],
    ['an _sd with a value that is not text', { _sd: [digest(name), 7] }, [name]],
    ['a claim named ...', { '...': digest(name) }, [name]],
    ...['_sd', '...'].map((taken): [string, Record<string, unknown>, string[]] => {
      const disclosure = disclose(taken, [])
      return [`a disclosure named ${taken}`, { _sd: [digest(disclosure)] }, [disclosure]]
    }),
    ...[
      'not base64url!',
      encodeJson({ a: 1 }),
      encodeJson(['salt']),
      encodeJson(['s', 'n', 1, 2]),
      encodeJson([1, 2]),
    ].map((wrong): [string, Record<string, unknown>, string[]] => [
      `a malformed disclosure: ${wrong}`,
      { _sd: [digest(wrong)] },
      [wrong],
    ]),
  ]
  test.each(refused)('%s', (_, payload, disclosures) => {
    expect(() => restore(payload, disclosures)).toThrow(InputError)
  })

  test.each(['iss', 'nbf', 'exp', 'cnf', 'vct', 'vct#integrity', 'status'])('%s in a disclosure', (claim) => {
    const disclosure = disclose(claim, 'x')
    expect(() => restore({ _sd: [digest(disclosure)] }, [disclosure])).toThrow(
      'must not be selectively disclosed',
    )
    // Inside another claim the name has no special meaning.
    expect(restore({ inner: { _sd: [digest(disclosure)] } }, [disclosure])).toEqual({
      inner: { [claim]: 'x' },
    })
  })

  test('a part of cnf or status in a disclosure', () => {
    const jwk = disclose('jwk', {})
    const entry = disclose('x')
    expect(() => restore({ cnf: { _sd: [digest(jwk)] } }, [jwk])).toThrow('must not be selectively disclosed')
    expect(() => restore({ status: { list: [{ '...': digest(entry) }] } }, [entry])).toThrow(
      'must not be selectively disclosed',
    )
  })

  test('claims nested 33 levels deep', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)])
    expect(() => restore({ claim: nested(31) }, [])).not.toThrow()
    expect(() => restore({ claim: nested(32) }, [])).toThrow('too deeply')
  })
})

test('[OID4VP-21] __proto__ and constructor are ordinary names', () => {
  const proto = disclose('__proto__', { admin: true })
  const { claims } = restoreClaims({ _sd: [digest(proto)], constructor: 'x' }, [proto])
  expect(Object.keys(claims)).toEqual(['constructor', '__proto__'])
  expect('admin' in claims).toBe(false)
})

function twoOfOneName(): [Record<string, unknown>, string[]] {
  const [first, second] = [disclose('name', 1), disclose('name', 2)]
  return [{ _sd: [digest(first), digest(second)] }, [first, second]]
}
