import { z } from 'zod'
import { VerificationIdParam } from '../verifications.ts'
import { Count, Day, describe, published, queryInteger, Timestamp } from '../values.ts'

export type Receipt = z.infer<typeof Receipt>
/** The format of the audit log says what `body` and `proof` contain (docs/reference/audit.md). */
export const Receipt = z
  .strictObject({
    body: describe(
      z.string(),
      'What the service states, as the text that was hashed: a JSON object.',
      '{"v":1,"id":"vs_0AE-h3mXw8cVbq2yN5tKzL9rPdJf1gS","status":"completed","…":"…"}',
    ),
    salt: describe(
      z.string(),
      'Hashed before the body: 32 bytes, hexadecimal.',
      '5a1c0c8b9f4e2d7a6b3f8e1d0c9b8a7f6e5d4c3b2a190807f6e5d4c3b2a19080',
    ),
    proof: describe(
      z.record(z.string(), z.unknown()),
      'The audit entry that has the hash, and the proof that it is in the signed log.',
      { entry: { action: 'verification.completed', detail: { receipt: '…' } }, checkpoint: '…' },
    ),
  })
  .meta({ id: 'Receipt' })

/** Receipts on one page: each is proved on its own. */
export const maxReceipts = 50
/** The days of one report. */
export const maxReportDays = 92
/** Receipts that a report picks at random, and changes that it lists. */
export const reportSample = 5
export const maxReportChanges = 500

/** PostgreSQL has no year 0, and the service no day outside these. */
const PeriodDay = Day.refine((day) => day >= '2000-01-01' && day < '2100-01-01', 'is out of range').meta(
  published({ type: 'string', format: 'date' }),
)

export type ListReceipts = z.infer<typeof ListReceipts>
export const ListReceipts = z.strictObject({
  day: describe(
    PeriodDay,
    'The UTC day on which the verifications were created. By default today.',
    '2026-11-15',
  ).optional(),
  limit: describe(
    queryInteger({ min: 1, max: maxReceipts, defaultValue: 20 }),
    'The maximum number of receipts.',
    20,
  ),
  after: describe(VerificationIdParam, '`next_after` of the previous page.').optional(),
})

export type ReceiptPage = z.infer<typeof ReceiptPage>
export const ReceiptPage = z
  .strictObject({
    data: describe(z.array(Receipt), 'In the order of the ids.'),
    waiting: describe(Count, 'Receipts of this page that are missing because they are not signed yet.', 0),
    next_after: describe(
      z.string(),
      'Where the next page begins. Absent on the last page.',
      'vs_0AE-h3mXw8cVbq2yN5tKzL9rPdJf1gS',
    ).optional(),
  })
  .meta({ id: 'ReceiptPage' })

export type ReportPeriod = z.infer<typeof ReportPeriod>
export const ReportPeriod = z.strictObject({
  from: describe(
    PeriodDay,
    `The first UTC day. By default 29 days before the last. A period has at most ${maxReportDays} days.`,
    '2026-11-01',
  ).optional(),
  to: describe(PeriodDay, 'The last UTC day. By default today.', '2026-11-30').optional(),
})

const ReportCount = z.strictObject({
  day: describe(Day, 'The UTC day of creation.', '2026-11-15'),
  template: describe(z.string(), 'The template. Absent for queries of your own.', 'age_over_18').optional(),
  version: describe(
    z.string(),
    'The hash of the content that the template had.',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ).optional(),
  status: describe(z.string(), 'How they ended.', 'completed'),
  error_code: describe(z.string(), 'Why, if they failed.', 'issuer_untrusted').optional(),
  verifications: describe(Count, 'How many.', 120),
})

const ReportChange = z.strictObject({
  seq: describe(z.int(), 'The number of the audit entry.', 17),
  at: describe(Timestamp, 'When.', '2026-11-15T12:00:00.123456Z'),
  action: describe(z.string(), 'What was done.', 'template.put'),
  subject: describe(z.string(), 'To what.', 'age_over_18').optional(),
  detail: describe(z.record(z.string(), z.unknown()), 'Details of the entry.', {}).optional(),
})

export type Report = z.infer<typeof Report>
export const Report = z
  .strictObject({
    from: describe(Day, 'The first UTC day.', '2026-11-01'),
    to: describe(Day, 'The last UTC day.', '2026-11-30'),
    counts: describe(
      z.array(ReportCount),
      'Verifications by day, template version and outcome. Erased ones are not in it.',
    ),
    changes: describe(
      z.array(ReportChange),
      'Changes of templates, policies, trust, identities, registrations and sealing keys, newest first. They apply to both environments.',
    ),
    more_changes: describe(z.boolean(), `Whether there are more than ${maxReportChanges}.`, false),
    sample: describe(z.array(Receipt), 'Receipts that were picked at random.'),
  })
  .meta({ id: 'Report' })
