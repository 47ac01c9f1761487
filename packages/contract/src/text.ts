import { z } from 'zod'

type Length = { min?: number; max?: number }

/**
 * A string that can be stored and displayed anywhere: without NUL, which PostgreSQL rejects, and without lone surrogates,
 * which are not valid Unicode. Lengths count code points, as in JSON Schema (GEN-10).
 */
export function text({ min, max }: Length = {}) {
  return z
    .string()
    .refine(isText, 'must be valid Unicode without NUL')
    .refine((value) => isWithin(value, { min, max }), describeLength({ min, max }))
    .meta({
      ...(min !== undefined && { minLength: min }),
      ...(max !== undefined && { maxLength: max }),
    })
}

export function isText(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0')
}

function isWithin(value: string, { min = 0, max = Number.POSITIVE_INFINITY }: Bounds): boolean {
  // A code point is one or two UTF-16 units, so most lengths are decided without counting.
  if (value.length < min || value.length > max * 2) return false
  const length = value.length <= max && value.length >= min * 2 ? value.length : countCodePoints(value)
  return length >= min && length <= max
}

function countCodePoints(value: string): number {
  return Array.from(value).length
}

type Bounds = { min: number | undefined; max: number | undefined }

function describeLength({ min, max }: Bounds): string {
  if (max === undefined) return `must have at least ${min ?? 0} characters`
  return `must have ${min ?? 0}-${max} characters`
}
