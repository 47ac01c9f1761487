import { z } from 'zod'
import { Count, Day, describe } from './values.ts'

export type Usage = z.infer<typeof Usage>
export const Usage = z
  .strictObject({
    day: describe(Day, 'Today in UTC.', '2026-11-15'),
    verifications_created: describe(Count, 'Verifications created today.', 412),
    daily_quota: describe(Count, 'How many can be created per day.', 1000),
    remaining: describe(Count, 'How many can still be created today.', 588),
    recent: describe(
      z
        .array(
          z.strictObject({
            day: describe(Day, 'A day in UTC.', '2026-11-14'),
            verifications_created: describe(Count, 'Verifications created on that day.', 963),
          }),
        )
        .max(30),
      'The last days on which any were created, newest first.',
      [{ day: '2026-11-14', verifications_created: 963 }],
    ),
  })
  .meta({ id: 'Usage' })
