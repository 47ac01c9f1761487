/**
 * The canonical text of a JSON value (RFC 8785): members sorted by their UTF-16 code units, no white space, numbers and
 * strings as ECMAScript writes them, which is what JSON.stringify does. Equal values have equal texts, however they were
 * spelled, so that a text can be hashed in place of its value. The depth is bounded by the parser that made the value.
 */
export function canonicalize(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalize).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalize(member)}`)
  return `{${members.join(',')}}`
}
