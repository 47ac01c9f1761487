/** A rule that a request violates: the rule's stable name, its place in the specification, and what was found. */
export type Violation = { readonly rule: string; readonly place: string; readonly message: string }

/** Returns a violation unless the rule is met. */
export function violationUnless(isMet: boolean, rule: string, place: string, message: string): Violation[] {
  return isMet ? [] : [{ rule, place, message }]
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isNonEmptyArray(value: unknown): value is [unknown, ...unknown[]] {
  return Array.isArray(value) && value.length > 0
}

/** A value as JSON on one line, shortened to 60 characters. */
export function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`
}
