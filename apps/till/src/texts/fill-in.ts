/** Replaces each `{name}` by its value, as it is. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{([a-z_]+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)
}
