import { z } from 'zod'
import { text } from '../text.ts'
import { describe, published, queryInteger, Timestamp, TimestampInput } from '../values.ts'
import { exampleKeyId } from './keys.ts'
import { EnvironmentName, exampleMemberId } from './values.ts'

/** An audit entry for display. The export contains the form that is hashed. */
export type AuditEntry = z.infer<typeof AuditEntry>
export const AuditEntry = z
  .strictObject({
    seq: describe(z.int().min(1), 'The number of the entry in the chain, from 1 without gaps.', 1042),
    at: describe(Timestamp, 'When it happened.', '2026-11-15T09:00:00.123456Z'),
    action: describe(z.string(), 'What happened. The reference of the audit log lists all.', 'key.created'),
    actor: describe(
      z.string(),
      'Who did it: `operator`, `wallet`, `service`, or a kind and an id.',
      `member:${exampleMemberId}`,
    ),
    actor_name: describe(
      z.string(),
      'Their name as recorded, or the present name of a key. Absent if it was erased or there is none.',
      'Anna Berg',
    ).optional(),
    subject: describe(z.string(), 'What it was done to.', exampleKeyId).optional(),
    subject_name: describe(
      z.string(),
      'The present name of the key, device, member or OpenID client that is the subject. Absent if it was removed.',
      'Web shop',
    ).optional(),
    client: describe(
      z.strictObject({
        id: describe(z.string(), 'The id of the client.', 'oc_h3mXw8cVbq2yN5tKzL9rPd'),
        environment: describe(EnvironmentName, 'The environment of the client.', 'test'),
      }),
      'The OpenID client that is the actor or the subject. Absent if it was deleted.',
    ).optional(),
    purpose: describe(
      z.string(),
      'The reason that the holder was told.',
      'Age check for your order',
    ).optional(),
    detail: describe(z.record(z.string(), z.unknown()), 'Details of the action.', {
      prefix: 'vk_test_0p7Qm',
      environment: 'test',
    }).optional(),
    erased: describe(z.boolean(), 'Whether its texts were erased.', false),
  })
  .meta({
    id: 'AuditEntry',
    examples: [
      {
        seq: 1042,
        at: '2026-11-15T09:00:00.123456Z',
        action: 'key.created',
        actor: `member:${exampleMemberId}`,
        actor_name: 'Anna Berg',
        subject: exampleKeyId,
        subject_name: 'Web shop',
        detail: { prefix: 'vk_test_0p7Qm', environment: 'test' },
        erased: false,
      },
    ],
  })

const SequenceNumber = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)
  .meta(published({ type: 'integer', minimum: 0 }))

export type FilterAudit = z.infer<typeof FilterAudit>
export const FilterAudit = z.strictObject({
  limit: describe(
    queryInteger({ min: 1, max: 100, defaultValue: 50 }),
    'How many entries a page has at most.',
    50,
  ),
  before_seq: describe(SequenceNumber, 'The `next_before_seq` of the previous page.', 993).optional(),
  action: describe(text({ max: 64 }), 'Only this action.', 'key.created').optional(),
  actor: describe(
    text({ max: 128 }),
    'Only this actor, or every actor of a kind.',
    `key:${exampleKeyId}`,
  ).optional(),
  subject: describe(text({ max: 128 }), 'Only this subject.', exampleKeyId).optional(),
  from: describe(TimestampInput, 'Only entries at or after this time.', '2026-11-15T00:00:00Z').optional(),
  to: describe(TimestampInput, 'Only entries before this time.', '2026-11-16T00:00:00Z').optional(),
})

export type AuditList = z.infer<typeof AuditList>
export const AuditList = z
  .strictObject({
    data: describe(z.array(AuditEntry), 'Newest first.'),
    next_before_seq: describe(
      z.int(),
      'What to give as `before_seq` for the next page. Absent if there are no older entries.',
      993,
    ).optional(),
    waiting: describe(
      z.int().min(0),
      'Entries that are recorded but not yet in their chain. They are appended within a second or so.',
      0,
    ),
  })
  .meta({ id: 'AuditList' })

const exampleKey = 'MCowBQYDK2VwAyEAk3Jx0v8rYt1bF6hWq5sZ2uN7pLd9cXgV4mTeRiAoHyE='
const examplePem = `-----BEGIN PUBLIC KEY-----\n${exampleKey}\n-----END PUBLIC KEY-----\n`

export type AuditKey = z.infer<typeof AuditKey>
export const AuditKey = z
  .strictObject({
    public_key: describe(z.string(), 'The key, as PEM.', examplePem),
    origin: describe(z.string(), 'The log that the key signs.', 'verify.example.com/audit/0'),
    verifier_key: describe(
      z.string(),
      'The key in the format of transparency log tools.',
      'verify.example.com/audit/0+6d1c9f20+AZNycdL/K2LdWxeoVquWdrjey3S/XF4FeJk3kYgKB8hB',
    ),
    first_public_key: describe(z.string(), 'The first key of the log, as PEM.', examplePem),
    handovers: describe(
      z.array(z.string()),
      'The notes with which the first key and its successors were replaced. They lead to `public_key`.',
      [],
    ),
  })
  .meta({ id: 'AuditKey' })

/** The lines of an export. The audit reference documents them. */
export const AuditExport = z
  .string()
  .meta({ examples: ['{"entry":{"action":"key.created","actor":"operator","seq":1,…},…}\n{"seal":…}\n'] })
