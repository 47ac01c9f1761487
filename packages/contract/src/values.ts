import { z } from 'zod'
import { text } from './text.ts'
import { builtInTemplateNames } from './vocabulary/built-in-templates.ts'

export const maxUrl_characters = 2048

/** A time in responses: UTC with six fractional digits (GEN-2). */
export const Timestamp = z.iso
  .datetime({ precision: 6 })
  .meta(published({ type: 'string', format: 'date-time' }))
export const Day = z.iso.date().meta(published({ type: 'string', format: 'date' }))
export const TemplateKey = openEnum(text({ min: 1, max: 64 }), 'BuiltInTemplate', builtInTemplateNames)
/** Values for the parameters that a template declares. Which they are, and their bounds, is the template's. */
export const TemplateParameters = z
  .record(text({ min: 1, max: 64 }), z.union([z.int(), text({ min: 1, max: 64 })]))
  .refine((value) => Object.keys(value).length <= 10, 'must have at most 10 members')
  .meta({ maxProperties: 10 })
/** What a template compares claims with. Longer values are no names or dates. */
export const ExpectedValues = z
  .record(text({ min: 1, max: 64 }), text({ min: 1, max: 200 }))
  .refine((value) => Object.keys(value).length <= 20, 'must have at most 20 members')
  .meta({ maxProperties: 20 })
export const Purpose = text({ min: 1, max: 300 })
export const Count = z.int().min(0)
export const Claims = z.record(z.string(), z.unknown())
/** Metadata in responses. Older verifications may exceed today's limits. */
export const Metadata = z.record(text(), text())

export const maxMetadataKeys = 50
export const maxMetadata_bytes = 8 * 1024
const utf8 = new TextEncoder()

export const MetadataInput = Metadata.refine(
  (value) => Object.keys(value).length <= maxMetadataKeys,
  `must have at most ${maxMetadataKeys} members`,
)
  .refine(
    (value) => utf8.encode(Object.entries(value).flat().join('')).length <= maxMetadata_bytes,
    `must have at most ${maxMetadata_bytes} bytes in total (names and values)`,
  )
  .meta({
    maxProperties: maxMetadataKeys,
    description: `At most ${maxMetadataKeys} members. Names and values together have at most ${maxMetadata_bytes} bytes as UTF-8.`,
  })

/** The pairs that one search names, and the length of a name or value in it. */
export const maxMetadataPairs = 5
export const maxMetadataPair_characters = 1024

/** Metadata to search for. In a query, each pair is a parameter of its own: `metadata[order]=A-1001`. */
export const MetadataFilter = z
  .record(text({ max: maxMetadataPair_characters }), text({ max: maxMetadataPair_characters }))
  .refine(
    (value) => Object.keys(value).length >= 1 && Object.keys(value).length <= maxMetadataPairs,
    `must have 1-${maxMetadataPairs} members, such as metadata[order]=A-1001`,
  )
  .meta({ maxProperties: maxMetadataPairs })

/** A time in requests: UTC with `Z`, any fraction. PostgreSQL has no year 0. */
export const TimestampInput = z.iso
  .datetime('must be a UTC date-time such as 2026-01-31T12:00:00Z')
  .refine((value) => value.length <= 40 && !value.startsWith('0000'), 'is out of range')
  .meta(published({ type: 'string', format: 'date-time' }))

/** An absolute URI. The URL parser tolerates white space and control characters; a URI must not have any. */
export const Uri = text({ max: maxUrl_characters })
  .refine(
    (value) => /^[a-z][a-z0-9+.-]*:[^\s\p{Cc}]+$/iu.test(value) && URL.canParse(value),
    'must be an absolute URI',
  )
  .meta(published({ type: 'string', format: 'uri', maxLength: maxUrl_characters }))

/** A whole number in a query string. */
export function queryInteger({ min, max, defaultValue }: { min: number; max: number; defaultValue: number }) {
  return z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`)
    .default(defaultValue)
    .meta(published({ type: 'integer', minimum: min, maximum: max, default: defaultValue }))
}

/** A switch in a query string. */
export function queryBoolean() {
  return z
    .enum(['true', 'false'], 'must be true or false')
    .transform((value) => value === 'true')
    .meta(published({ type: 'boolean' }))
}

/** Adds what the API reference says about a value, with an example. A list or an object of described members has theirs. */
export function describe<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  example?: unknown,
): Schema {
  return schema.meta({ description, ...(example !== undefined && { examples: [example] }) })
}

/** A text that can have more values than those that are known today. `name` is that of the known ones in the SDK. */
export function openEnum<Value extends string>(
  schema: z.ZodType<string, string>,
  name: string,
  values: readonly Value[],
): z.ZodType<Value | (string & {}), Value | (string & {})> {
  return schema.meta({ title: name, 'x-extensible-enum': values })
}

/** The JSON Schema to publish where zod's own output would be wrong or could not express the check. */
export function published(schema: Record<string, unknown>): { published: Record<string, unknown> } {
  return { published: schema }
}
