/** What JSON can hold. Objects read from a wallet have no prototype, so that `__proto__` is a name like any other. */
export type Json = string | number | boolean | null | Json[] | JsonObject
export type JsonObject = { [name: string]: Json }

/** How deep a value may be nested (GEN-11), and so how long a path into it can be. */
export const maxDepth = 32

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isNonEmptyString(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** Unicode that a database can hold and a page can show (GEN-10). */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** A non-empty array all of whose elements pass. */
export function isNonEmptyArrayOf<Element>(
  value: unknown,
  passes: (element: unknown) => element is Element,
): value is Element[] {
  return Array.isArray(value) && value.length > 0 && value.every(passes)
}

/** Equal as JSON: the order of members does not matter, that of elements does. */
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
