import { z } from 'zod'
import { describe, TemplateKey, Timestamp } from './values.ts'

const TemplateParameter = z
  .strictObject({
    type: describe(z.enum(['integer', 'string']), 'What its value is.', 'integer'),
    min: describe(z.int(), 'The lowest integer.', 10).optional(),
    max: describe(z.int(), 'The highest integer.', 99).optional(),
    enum: describe(z.array(z.string()), 'The strings that it accepts.', ['AT', 'DE']).optional(),
    default: describe(
      z.union([z.int(), z.string()]),
      'Used if you give none. Absent if you have to.',
      18,
    ).optional(),
  })
  .meta({ id: 'TemplateParameter' })

/** A template that a caller can name when it creates a verification. */
export type UsableTemplate = z.infer<typeof UsableTemplate>
export const UsableTemplate = z
  .strictObject({
    key: describe(TemplateKey, 'What you give as `template` when you create a verification.', 'age_over_18'),
    name: describe(z.string(), 'A short name for people.', 'Age over 18'),
    description: describe(z.string(), 'What it asks and how.', 'Proves that the holder is over 18.'),
    version: describe(
      z.string(),
      'Changes whenever the template changes. A verification keeps the version it was created with.',
      '3f1c9a0b7d2e4c58',
    ),
    built_in: describe(
      z.boolean(),
      'Whether the template is part of the service. Otherwise it is your own.',
      true,
    ),
    claims: describe(
      z.array(z.string()),
      'The names of the claims that a completed verification can contain. `{age}` in a name stands for a parameter.',
      ['age_over_18'],
    ),
    parameters: describe(
      z.record(z.string(), TemplateParameter),
      'What you can give as `parameters` when you create a verification. Absent if there is nothing to give.',
      { age: { type: 'integer', min: 10, max: 99, default: 18 } },
    ).optional(),
    expected: describe(
      z.array(z.string()),
      'The claims that it compares: what you have to give as `expected`. Absent if there are none.',
      ['birth_date', 'family_name'],
    ).optional(),
    updated_at: describe(
      Timestamp,
      'When you last changed it. Absent if built in.',
      '2026-11-10T09:00:00.123456Z',
    ).optional(),
  })
  .meta({ id: 'UsableTemplate' })

export type UsableTemplateList = z.infer<typeof UsableTemplateList>
export const UsableTemplateList = z
  .strictObject({ data: describe(z.array(UsableTemplate), 'Ordered by key, the built-in ones first.', []) })
  .meta({ id: 'UsableTemplateList' })
