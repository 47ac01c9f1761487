import { expect, test } from 'vitest'
import { fillIn } from './fill-in.ts'

test('placeholders are replaced by their values, also twice', () => {
  expect(fillIn('{merchant}: {count}, {merchant}', { merchant: 'Kiosk', count: 3 })).toBe('Kiosk: 3, Kiosk')
})

test('a value is inserted as it is', () => {
  const values = { merchant: '$& {count} $1', count: 3 }
  expect(fillIn('Back to {merchant}', values)).toBe('Back to $& {count} $1')
})

test('a placeholder without a value stays, also if objects have a property of that name', () => {
  expect(fillIn('{merchant} {constructor}', {})).toBe('{merchant} {constructor}')
})
