/** A requirement's id, such as `IDEM-3` or `OID4VP-17`. */
export const idPattern = '[A-Z][A-Z0-9]*-[0-9]+'

const bracketed = new RegExp(String.raw`\[(${idPattern})\]`, 'g')

/** The ids in a test title: `[A-1] title`. */
export function titleIds(title: string): string[] {
  return Array.from(title.matchAll(bracketed), ([, id = '']) => id)
}
