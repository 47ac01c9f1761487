import { z } from 'zod'

/** The members that a schema knows at a path, to suggest one of them for an unknown one. Empty where they cannot be determined. */
export function knownMembers(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let inner: unknown = unwrap(schema)
  for (const part of path) inner = unwrap(memberOf(inner, part))
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : []
}

function memberOf(schema: unknown, part: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) return schema.shape[String(part)]
  if (schema instanceof z.ZodArray) return schema.element
  if (schema instanceof z.ZodRecord) return schema.valueType
  return undefined
}

function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unwrap(schema.unwrap())
  if (schema instanceof z.ZodPipe) return unwrap(schema.in)
  return schema
}
