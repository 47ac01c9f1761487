/** The parameters of an address with these names. A number or a date in the address may have become another type. */
export function readTexts<Name extends string>(
  search: Record<string, unknown>,
  names: readonly Name[],
): { [Key in Name]?: string } {
  const given = names.map((name) => [name, search[name]] as const)
  return Object.fromEntries(
    given
      .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
      .map(([name, value]) => [name, String(value)]),
  ) as { [Key in Name]?: string } // only these names
}
