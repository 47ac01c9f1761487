/** In the order in which they are looked for: most browsers also name the ones that they descend from. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Macintosh', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** What a member recognises a browser by, such as `Firefox, Windows`, from fixed lists: of the header itself nothing is kept. */
export function describeBrowser(userAgent: string | undefined): string | undefined {
  const find = (known: readonly (readonly [string, string])[]) =>
    known.find(([mark]) => userAgent?.includes(mark) === true)?.[1]
  const named = [find(browsers), find(systems)].filter((name) => name !== undefined)
  return named.length === 0 ? undefined : named.join(', ')
}
