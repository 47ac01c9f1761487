import { expect, test } from 'vitest'
import { describeRetention } from './describe-retention.ts'

test('the retention of Vidimus is described in days, and that of the merchant as it declared it', () => {
  expect(describeRetention({ days: 1 }, { name: 'Kiosk', kept_days: 365 }, 'en')).toBe(
    'Kiosk keeps it for 365 days. Vidimus deletes it after 1 day.',
  )
  expect(describeRetention({ days: 30 }, { name: 'Kiosk' }, 'en')).toBe(
    'Vidimus deletes it after 30 days. The privacy notice of Kiosk says how long Kiosk keeps it.',
  )
})

test('the retention until delivery names the merchant', () => {
  expect(describeRetention('on_delivery', { name: 'Kiosk {days}', kept_days: 2 }, 'de')).toBe(
    'Kiosk {days} bewahrt die Angaben 2 Tage auf. Vidimus löscht die Angaben, sobald Kiosk {days} sie erhalten hat.',
  )
})
