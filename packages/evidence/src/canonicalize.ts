/**
 * The canonical text of a JSON value (RFC 8785): members sorted by UTF-16 code units, no white space, numbers and strings as
 * JSON.stringify writes them. Equal values have equal texts, however they were spelled, so the text can be hashed in place of
 * the value. The depth is bounded by the parser that produced the value.
 */
export function canonicalize(value: unknown): string {
  // A value parsed from canonical text already has its members in order, and JSON.stringify is much faster.
  return isSorted(value) ? JSON.stringify(value) : writeSorted(value)
}

function isSorted(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isSorted)
  let previous = ''
  for (const name of Object.keys(value)) {
    if (name < previous || !isSorted(Reflect.get(value, name))) return false
    previous = name
  }
  return true
}

function writeSorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeSorted).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${writeSorted(member)}`)
  return `{${members.join(',')}}`
}
