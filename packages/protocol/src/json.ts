/** Any JSON value. Objects read from a wallet have no prototype, so `__proto__` is an ordinary name. */
export type Json = string | number | boolean | null | Json[] | JsonObject
export type JsonObject = { [name: string]: Json }

/** The maximum nesting depth of a value (GEN-11), and therefore the maximum length of a path into it. */
export const maxDepth = 32

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isNonEmptyString(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** True for Unicode text that a database can store and a page can display (GEN-10). */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** True for a non-empty array whose elements all pass. */
export function isNonEmptyArrayOf<Element>(
  value: unknown,
  passes: (element: unknown) => element is Element,
): value is Element[] {
  return Array.isArray(value) && value.length > 0 && value.every(passes)
}

/** Compares as JSON: the order of members is irrelevant, the order of elements is not. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((element, index) => isEqual(element, b[index]))
    )
  }
  if (!isObject(a) || !isObject(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name]))
  )
}
