/** A registered identifier as ETSI EN 319 412-1 §5.1.4 writes it, such as `NTRNL-1234`. */
const identifierPattern = /^[A-Z]{2}[A-Z:][A-Z]{2}-./
const maxNameCharacters = 200

/**
 * The registered identifier if there is one, among the trade names (ETSI TS 119 602 §6.5.2, ETSI TS 119 612 §5.4.2). Otherwise
 * the first name.
 */
export function chooseEntityName({
  names,
  trade_names,
}: {
  names: readonly string[]
  trade_names: readonly string[]
}): string | undefined {
  const name = trade_names.find((text) => identifierPattern.test(text)) ?? names[0]
  return name === undefined || name === '' ? undefined : name.slice(0, maxNameCharacters)
}

/** Two entries may have one name without being one entity, and must not vouch for each other. */
export function makeUnique(name: string | undefined, names: Set<string>): string | undefined {
  if (name === undefined) return undefined
  const unique = names.has(name) ? `${name} (${names.size})` : name
  if (names.has(unique)) return undefined
  names.add(unique)
  return unique
}
