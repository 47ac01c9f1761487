import { describe, expect, test } from 'vitest'
import { InputError } from '../input-error.ts'
import { readCbor, type Cbor } from './read.ts'

const read = (hex: string): Cbor => readCbor(Buffer.from(hex.replaceAll(' ', ''), 'hex'))

describe('[OID4VP-24] reads the examples of RFC 8949 appendix A', () => {
  const vectors: [string, Cbor][] = [
    ['00', 0],
    ['17', 23],
    ['1818', 24],
    ['1903e8', 1000],
    ['1a000f4240', 1000000],
    ['1b000000e8d4a51000', 1000000000000],
    ['1bffffffffffffffff', 18446744073709551615n],
    ['20', -1],
    ['3903e7', -1000],
    ['3bffffffffffffffff', -18446744073709551616n],
    ['3b001fffffffffffff', -9007199254740992n],
    ['f90000', 0],
    ['f93c00', 1],
    ['f97bff', 65504],
    ['f90001', 5.960464477539063e-8],
    ['f97c00', Infinity],
    ['fa47c35000', 100000],
    ['fb3ff199999999999a', 1.1],
    ['f4', false],
    ['f5', true],
    ['f6', null],
    ['f7', undefined],
    ['60', ''],
    ['6449455446', 'IETF'],
    ['62c3bc', 'ü'],
    ['64f0908591', '𐅑'],
    ['83010203', [1, 2, 3]],
    ['8301820203820405', [1, [2, 3], [4, 5]]],
    ['9f018202039f0405ffff', [1, [2, 3], [4, 5]]],
    ['7f657374726561646d696e67ff', 'streaming'],
  ]
  test.each(vectors)('%s', (hex, value) => {
    expect(read(hex)).toEqual(value)
  })

  test('reads byte strings, whole or in chunks', () => {
    expect(read('4401020304')).toEqual(Buffer.from([1, 2, 3, 4]))
    expect(Buffer.from(read('5f42010243030405ff') as Uint8Array).toString('hex')).toBe('0102030405')
  })

  test('reads definite and indefinite maps', () => {
    expect(read('a26161016162820203')).toEqual(new Map<string, Cbor>([['a', 1], ['b', [2, 3]]])) // prettier-ignore
    expect(read('bf61610161629f0203ffff')).toEqual(new Map<string, Cbor>([['a', 1], ['b', [2, 3]]])) // prettier-ignore
  })
})

describe('[OID4VP-24] accepts what wallets send', () => {
  test('overlong lengths', () => {
    expect(read('b90001 7800 1800')).toEqual(new Map([['', 0]]))
  })

  test('tagged items, which keep their received bytes, including overlong lengths', () => {
    const item = read('82 d8185800 00') as [{ tag: number; span: Uint8Array }, number]
    expect(item[0].tag).toBe(24)
    expect(Buffer.from(item[0].span).toString('hex')).toBe('d8185800')
  })
})

describe('[OID4VP-24] refuses', () => {
  test.each([
    ['a duplicate map key', 'a2 6161 01 6161 02'],
    ['a duplicate map key, once with an overlong length', 'a2 01 01 1801 02'],
    ['a byte string as map key', 'a1 4101 01'],
    ['a map as map key', 'a1 a0 01'],
    ['a fraction as map key', 'a1 f93e00 01'],
    ['bytes after the end', '0000'],
    ['empty input', ''],
    ['truncated input', '83 01 02'],
    ['a string longer than its bytes', '44 0102'],
    ['an array that announces 2^32 elements', '9a ffffffff 00'],
    ['an array that announces 2^53 elements and more', '9b ffffffffffffffff 00'],
    ['text that is not UTF-8', '62 c328'],
    ['a chunk of the wrong type', '5f 6161 ff'],
    ['a chunk that is itself in chunks', '5f 5f 4101 ff ff'],
    ['a stray break', 'ff'],
    ['an indefinite integer', '1f'],
    ['a reserved length', '1c'],
    ['an unsupported simple value', 'f0'],
    ['an unterminated indefinite array', '9f01'],
  ])('%s', (_, hex) => {
    expect(() => read(hex)).toThrow(InputError)
  })

  test('17 levels of nesting, but not 16', () => {
    expect(() => read(`${'81'.repeat(16)}00`)).not.toThrow()
    expect(() => read(`${'81'.repeat(17)}00`)).toThrow('nested too deeply')
    expect(() => read('c0'.repeat(100_000))).toThrow('nested too deeply')
  })

  test('20,001 items, but not 20,000', () => {
    const array = (items: number): string => `99${items.toString(16).padStart(4, '0')}${'00'.repeat(items)}`
    expect(() => read(array(19_999))).not.toThrow()
    expect(() => read(array(20_000))).toThrow('too many items')
    expect(() => read(`5f${'40'.repeat(20_000)}ff`)).toThrow('too many items')
  })

  test('more than 8 MiB', () => {
    expect(() => readCbor(Buffer.alloc(8 * 1024 * 1024 + 1))).toThrow('too large')
  })
})
