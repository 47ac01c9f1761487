/** The type of which every PID is one (PID Rulebook of the EUDI Architecture and Reference Framework, 4.2). */
export const basePidType = 'urn:eudi:pid:1'

/** A country, perhaps with a region of it, marks a national type. A number there is a version of the base type. */
const nationalPattern = /^urn:eudi:pid:([a-z]{2})(?:-[a-z0-9]{1,3})?:\d{1,4}$/

/** The country of a national PID type in upper case; undefined if the type is none. */
export function findPidCountry(vct: string): string | undefined {
  return nationalPattern.exec(vct)?.[1]?.toUpperCase()
}

/** Whether a certificate names this country. The EU writes EL where ISO 3166 writes GR. */
export function isSameCountry(country: string, certified: string | undefined): boolean {
  const normalise = (code: string) => (code === 'EL' ? 'GR' : code)
  return certified !== undefined && normalise(country) === normalise(certified.toUpperCase())
}
