import { expect, test } from 'vitest'
import { dayInZone } from './day-in-zone.ts'

test.each([
  ['2026-11-18T07:59:59Z', 'America/Los_Angeles', '2026-11-17'],
  ['2026-11-18T08:00:00Z', 'America/Los_Angeles', '2026-11-18'],
  ['2026-07-18T06:59:59Z', 'America/Los_Angeles', '2026-07-17'],
  ['2026-07-18T07:00:00Z', 'America/Los_Angeles', '2026-07-18'],
  ['2026-12-31T09:59:59Z', 'Pacific/Kiritimati', '2026-12-31'],
  ['2026-12-31T10:00:00Z', 'Pacific/Kiritimati', '2027-01-01'],
  ['2026-11-18T18:15:00Z', 'asia/kathmandu', '2026-11-19'],
  ['2024-02-29T23:59:59.999Z', 'UTC', '2024-02-29'],
])('at %s in %s it is %s', (time, zone, day) => {
  expect(dayInZone(Date.parse(time) / 1000, zone)).toBe(day)
})
