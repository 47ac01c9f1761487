/** Replaces each `{name}` by its value. A value is inserted as it is: braces and dollar signs in it mean nothing. */
export function fillIn(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{([a-z_]+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : placeholder,
  )
}
