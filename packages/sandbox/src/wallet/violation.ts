/** What a strict wallet objects to: a stable name, the place of the rule, and what it found. */
export type Violation = { readonly rule: string; readonly place: string; readonly message: string }

/** No complaint when the rule holds, one when it does not. */
export function violationUnless(isMet: boolean, rule: string, place: string, message: string): Violation[] {
  return isMet ? [] : [{ rule, place, message }]
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isNonEmptyArray(value: unknown): value is [unknown, ...unknown[]] {
  return Array.isArray(value) && value.length > 0
}

/** A value as a complaint shows it: short, and never more than a line. */
export function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`
}
