/** The subject of the documents. All claims are derived from these values. */
export type Person = {
  readonly given_name: string
  readonly family_name: string
  readonly birth_family_name: string
  /** `YYYY-MM-DD`. */
  readonly birth_date: string
  readonly birth_place: { readonly country: string; readonly locality: string }
  /** 1 male, 2 female (ISO/IEC 5218). */
  readonly sex: number
  readonly nationality: string
  readonly address: Address
  readonly email: string
  readonly phone_number: string
  readonly personal_number: string
  /** A JPEG; empty if the holder chose not to have one (PID Rulebook §2.2). */
  readonly portrait: Uint8Array
}

export type Address = {
  readonly street: string
  readonly postal_code: string
  readonly locality: string
  readonly country: string
}

/** A birth date `years` and a half before `now`, so that no test runs on a birthday. */
export function bornYearsAgo(years: number, now: Date): string {
  return isoDate(new Date(Date.UTC(now.getUTCFullYear() - years, now.getUTCMonth() - 6, 1)))
}

/** Age in full years on the UTC day of `now`. */
export function ageOn(birthDate: string, now: Date): number {
  const years = now.getUTCFullYear() - Number(birthDate.slice(0, 4))
  return isoDate(now).slice(5) >= birthDate.slice(5) ? years : years - 1
}

export function dateYearsFrom(now: Date, years: number): string {
  return isoDate(new Date(Date.UTC(now.getUTCFullYear() + years, now.getUTCMonth(), 1)))
}

export function addressLine({ street, postal_code, locality }: Address): string {
  return `${street}, ${postal_code} ${locality}`
}

function isoDate(date: Date): string {
  return date.toISOString().slice(0, 10)
}
