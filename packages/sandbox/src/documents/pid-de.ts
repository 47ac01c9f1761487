import { fullDate, textMap, type Cbor } from '../cbor/encode.ts'
import type { UnsignedCredential } from './credential.ts'
import { ageOn, type Person } from './person.ts'

const ages = [12, 14, 16, 18, 21, 65]

/** The German PID: a domestic type with age attributes, without a portrait or document number. */
export function pidDe(person: Person, now: Date): UnsignedCredential[] {
  return [pidDeSdJwt(person, now), pidDeMdoc(person, now)]
}

function pidDeSdJwt(person: Person, now: Date): UnsignedCredential {
  const age = ageOn(person.birth_date, now)
  return {
    document: 'pid_de',
    condition: 'valid',
    format: 'dc+sd-jwt',
    type: 'urn:eudi:pid:de:1',
    claims: {
      family_name: person.family_name,
      given_name: person.given_name,
      birthdate: person.birth_date,
      age_birth_year: Number(person.birth_date.slice(0, 4)),
      age_in_years: age,
      age_equal_or_over: Object.fromEntries(ages.map((limit) => [String(limit), age >= limit])),
      birth_family_name: person.birth_family_name,
      place_of_birth: { locality: person.birth_place.locality },
      nationalities: [person.nationality],
      address: {
        street_address: person.address.street,
        postal_code: person.address.postal_code,
        locality: person.address.locality,
        country: person.address.country,
      },
      issuing_authority: 'DE',
      issuing_country: 'DE',
    },
  }
}

function pidDeMdoc(person: Person, now: Date): UnsignedCredential {
  const age = ageOn(person.birth_date, now)
  return {
    document: 'pid_de',
    condition: 'valid',
    format: 'mso_mdoc',
    type: 'eu.europa.ec.eudi.pid.1',
    claims: {
      'eu.europa.ec.eudi.pid.1': {
        family_name: person.family_name,
        given_name: person.given_name,
        birth_date: fullDate(person.birth_date),
        family_name_birth: person.birth_family_name,
        place_of_birth: textMap({ locality: person.birth_place.locality }),
        nationality: [person.nationality],
        resident_street: person.address.street,
        resident_postal_code: person.address.postal_code,
        resident_city: person.address.locality,
        resident_country: person.address.country,
        issuing_authority: 'DE',
        issuing_country: 'DE',
      },
      'eu.europa.ec.eudi.pid.de.1': Object.fromEntries<Cbor>(
        ages.map((limit) => [`age_over_${limit}`, age >= limit]),
      ),
    },
  }
}
