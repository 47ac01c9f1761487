/**
 * The canonical text of a JSON value (RFC 8785): members sorted by their UTF-16 code units, no white space, numbers and
 * strings as ECMAScript writes them, which is what JSON.stringify does. Equal values have equal texts, however they were
 * spelled, so that a text can be hashed in place of its value. The depth is bounded by the parser that made the value.
 */
export function canonicalize(value: unknown): string {
  // What was read from a canonical text has its members in order already, and the platform writes it much faster.
  return isSorted(value) ? JSON.stringify(value) : writeSorted(value)
}

function isSorted(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isSorted)
  let before = ''
  for (const name of Object.keys(value)) {
    if (name < before || !isSorted(Reflect.get(value, name))) return false
    before = name
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
