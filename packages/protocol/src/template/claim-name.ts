/** Names of a vocabulary are plain, so that they can stand in code, in columns and in a message. */
export function isClaimName(name: string): boolean {
  return /^[a-z][a-z0-9_]{0,63}$/.test(name)
}

/** A member of a template by its name, or by its number where the name cannot be repeated. */
export function describePlace(parent: string, name: string, index: number): string {
  return isClaimName(name) ? `${parent}.${name}` : `${parent}, name ${index + 1}`
}
