import type { UnsignedCredential } from './credential.ts'
import { ageOn, dateYearsFrom, type Person } from './person.ts'

/** The Dutch PID: a domestic type with one age attribute, at the top level, and without a portrait. */
export function pidNl(person: Person, now: Date): UnsignedCredential[] {
  return [
    {
      document: 'pid_nl',
      condition: 'valid',
      format: 'dc+sd-jwt',
      type: 'urn:eudi:pid:nl:1',
      claims: {
        family_name: person.family_name,
        given_name: person.given_name,
        birthdate: person.birth_date,
        age_over_18: ageOn(person.birth_date, now) >= 18,
        place_of_birth: person.birth_place,
        nationalities: [person.nationality],
        address: {
          street_address: person.address.street,
          postal_code: person.address.postal_code,
          locality: person.address.locality,
          country: person.address.country,
        },
        date_of_expiry: dateYearsFrom(now, 9),
        issuing_authority: 'NL',
        issuing_country: 'NL',
      },
    },
  ]
}
