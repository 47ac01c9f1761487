import { expect, test } from 'vitest'
import { describeRetention } from './describe-retention.ts'

test('the retention is described in days', () => {
  expect(describeRetention({ days: 1 }, 'Kiosk', 'en')).toBe('1 day. After that it is deleted.')
  expect(describeRetention({ days: 365 }, 'Kiosk', 'en')).toBe('365 days. After that it is deleted.')
})

test('the retention until delivery names the merchant', () => {
  expect(describeRetention('on_delivery', 'Kiosk {days}', 'en')).toBe(
    'Until Kiosk {days} has received it. Then it is deleted.',
  )
})
