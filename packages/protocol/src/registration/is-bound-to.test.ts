import { certify, createAuthority, generateSigningKey, keyUsage, validityAround } from '@vidimus/sandbox'
import { describe, expect, test } from 'vitest'
import { isBoundTo, readCertificateSubject } from './is-bound-to.ts'

const validity = validityAround(new Date('2026-06-01T12:00:00Z'), 1, 30)
const root = createAuthority({ ...validity, name: { common_name: 'Access Root' }, path_length: 0 })
const issue = (name: Partial<Parameters<typeof certify>[1]['name']>) =>
  certify(root, {
    ...validity,
    name: { common_name: 'Shop', ...name },
    key: generateSigningKey(),
    extensions: [keyUsage('digital_signature')],
  })

const shop = issue({ organization: 'Flowers Ltd', organization_identifier: 'NTRUT-1', country: 'UT' })
const trader = issue({ serial_number: 'PASUT-7' })
const both = issue({ organization_identifier: 'NTRUT-1', serial_number: 'PASUT-7' })
const nobody = issue({ organization: 'NTRUT-1', common_name: 'NTRUT-1' })

const registered = (...identifiers: string[]) => ({
  identifiers: identifiers.map((identifier) => ({ identifier })),
})

describe('a registration is bound to the access certificate', () => {
  test('of the organisation that it names, among several identifiers', () => {
    expect(isBoundTo(registered('LEIXG-5', 'NTRUT-1'), shop)).toBe(true)
    expect(isBoundTo(registered('NTRUT-2'), shop)).toBe(false)
    expect(isBoundTo(registered('ntrut-1'), shop)).toBe(false)
    expect(isBoundTo(registered(), shop)).toBe(false)
  })

  test('of a natural person by its serial number, unless there is an organisation', () => {
    expect(isBoundTo(registered('PASUT-7'), trader)).toBe(true)
    expect(isBoundTo(registered('PASUT-7'), both)).toBe(false)
    expect(isBoundTo(registered('NTRUT-1'), both)).toBe(true)
  })

  test('of its intermediary, and then not of the organisation itself', () => {
    const viaOther = { ...registered('NTRUT-1'), intermediary: { identifier: 'NTRUT-9' } }
    expect(isBoundTo(viaOther, shop)).toBe(false)
    expect(isBoundTo(viaOther, issue({ organization_identifier: 'NTRUT-9' }))).toBe(true)
  })

  test('never of one without an identifier, or of no certificate', () => {
    expect(isBoundTo(registered('NTRUT-1'), nobody)).toBe(false)
    expect(isBoundTo(registered('NTRUT-1'), Buffer.from('no certificate'))).toBe(false)
  })
})

test('the subject of a certificate is read', () => {
  expect(readCertificateSubject(shop)).toEqual({
    value: {
      common_name: 'Shop',
      organization: 'Flowers Ltd',
      organization_identifier: 'NTRUT-1',
      country: 'UT',
    },
  })
  expect(readCertificateSubject(trader)).toEqual({ value: { common_name: 'Shop', serial_number: 'PASUT-7' } })
  expect(readCertificateSubject(new Uint8Array(3))).toHaveProperty('error')
})
