import { z } from 'zod'
import { describe } from './values.ts'
import { VerificationIdParam } from './verifications.ts'

/** What a till shows and does between checks. */
export type TillSettings = z.infer<typeof TillSettings>
export const TillSettings = z
  .strictObject({
    merchant: describe(
      z.strictObject({
        name: describe(z.string(), "The merchant's name.", 'Corner Shop'),
        colour: describe(z.string(), "The merchant's colour.", '#7a1f3d').optional(),
        logo: describe(z.string(), 'A data URL.', 'data:image/svg+xml;base64,…').optional(),
      }),
      'Who asks.',
      { name: 'Corner Shop' },
    ),
    test: describe(z.boolean(), 'Whether the device belongs to the test environment.', false),
    keep_awake: describe(z.boolean(), 'Whether its screen stays on between checks.', true),
    pin: describe(z.boolean(), 'Whether a PIN protects the end of a shift and the settings.', true),
    edited_languages_only: describe(
      z.boolean(),
      'Whether it offers only languages that are no machine translations.',
      false,
    ),
    purpose: describe(
      z.string(),
      'Why it asks. The till shows it and creates its verifications with it.',
      'Age check for alcohol',
    ).optional(),
  })
  .meta({ id: 'TillSettings' })

/** Few digits are enough: after five wrong ones the device waits for a minute. */
export const Pin = z.string().regex(/^[0-9]{4,8}$/, 'must be 4-8 digits')

export type CheckPin = z.infer<typeof CheckPin>
export const CheckPin = z
  .strictObject({ pin: describe(Pin, 'What was typed.', '4711') })
  .meta({ id: 'CheckPin' })

export type PinCheck = z.infer<typeof PinCheck>
export const PinCheck = z
  .strictObject({
    correct: describe(z.boolean(), 'Whether it is the PIN. Always true for a device without one.', false),
    tries_left: describe(z.int().min(0), 'How many wrong ones may follow.', 3),
    locked_seconds: describe(
      z.int().min(1),
      'How long no PIN is accepted. Present only after the last try.',
      60,
    ).optional(),
  })
  .meta({ id: 'PinCheck' })

export type ComparePhoto = z.infer<typeof ComparePhoto>
export const ComparePhoto = z
  .strictObject({
    same_person: describe(z.boolean(), 'Whether the photo shows the person who is present.', true),
  })
  .meta({ id: 'ComparePhoto' })

export type PhotoComparison = z.infer<typeof PhotoComparison>
export const PhotoComparison = z
  .strictObject({
    id: VerificationIdParam,
    same_person: describe(z.boolean(), 'What was decided first. It stays.', true),
  })
  .meta({ id: 'PhotoComparison' })
