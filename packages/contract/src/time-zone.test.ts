import { expect, test } from 'vitest'
import { TimeZone } from './time-zone.ts'

test.each(['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'America/Argentina/Buenos_Aires', 'Asia/Calcutta'])(
  '%s is a time zone',
  (name) => {
    expect(TimeZone.safeParse(name)).toEqual({ success: true, data: name })
  },
)

test.each([
  '',
  ' ',
  'Berlin',
  'Europe/Berlin ',
  'Europe/Atlantis',
  '+01:00',
  '-08',
  'Europe/Berlin\0',
  'Europe/\ud800',
  `Europe/${'x'.repeat(64)}`,
  1,
  null,
])('%j is not a time zone', (name) => {
  expect(TimeZone.safeParse(name).success).toBe(false)
})
