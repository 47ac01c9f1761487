import { expect, test } from 'vitest'
import { isKey, proposeKey } from './propose-key.ts'

test('a key is proposed from the name, and can be used', () => {
  expect(proposeKey('Hotel CheckIn')).toBe('hotel_checkin')
  expect(proposeKey('  Größe über 1,80 m! ')).toBe('groesse_ueber_1_80_m')
  expect(proposeKey('Café – Žižkov')).toBe('cafe_zizkov')
  expect(proposeKey('年齢')).toBe('')
  const long = proposeKey(`${'a'.repeat(63)} b`)
  expect(long).toBe('a'.repeat(63))
  expect(isKey(long)).toBe(true)
})

test('a key with a space is refused', () => {
  expect(['hotel_checkin', 'Hotel.v2', 'hotel-2'].every(isKey)).toBe(true)
  expect(['Hotel CheckIn', 'a\tb', 'ä', ''].some(isKey)).toBe(false)
})
