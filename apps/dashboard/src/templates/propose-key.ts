export const maxKey = 64

const spellings: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'o', ł: 'l' }

/** A key from a template's name: small letters, digits and underscores, such as `hotel_check_in`. */
export function proposeKey(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[äöüßæøł]/g, (letter) => spellings[letter] ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, maxKey)
    .replaceAll(/^_+|_+$/g, '')
}

/** Whether a new template may have this key. The service takes more; an OpenID client refuses a key with a space. */
export function isKey(key: string): boolean {
  return /^[\w.-]+$/.test(key)
}
