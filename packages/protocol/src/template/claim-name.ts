/** Names of a vocabulary are restricted so that they can be used in code, in columns and in messages. */
export function isClaimName(name: string): boolean {
  return /^[a-z][a-z0-9_]{0,63}$/.test(name)
}

/** Refers to a member of a template by its name, or by its number if the name is not safe to print. */
export function describePlace(parent: string, name: string, index: number): string {
  return isClaimName(name) ? `${parent}.${name}` : `${parent}, name ${index + 1}`
}
