import { fullDate, textMap } from '../cbor/encode.ts'
import type { UnsignedCredential } from './credential.ts'
import { addressLine, dateYearsFrom, type Person } from './person.ts'

const namespace = 'eu.europa.ec.eudi.pid.1'

/**
 * Person identification data in both formats, with the attributes of the PID Rulebook §2 only: a base PID has a birth
 * date but no age attribute.
 */
export function pid(person: Person, now: Date): UnsignedCredential[] {
  return [pidSdJwt(person, now), pidMdoc(person, now)]
}

/** PID Rulebook §4.1. */
function pidSdJwt(person: Person, now: Date): UnsignedCredential {
  return {
    document: 'pid',
    condition: 'valid',
    format: 'dc+sd-jwt',
    type: 'urn:eudi:pid:1',
    claims: {
      family_name: person.family_name,
      given_name: person.given_name,
      birthdate: person.birth_date,
      place_of_birth: person.birth_place,
      nationalities: [person.nationality],
      address: {
        formatted: addressLine(person.address),
        street_address: person.address.street,
        postal_code: person.address.postal_code,
        locality: person.address.locality,
        country: person.address.country,
      },
      sex: person.sex,
      birth_family_name: person.birth_family_name,
      birth_given_name: person.given_name,
      personal_administrative_number: person.personal_number,
      document_number: `UT${person.personal_number}`,
      date_of_issuance: dateYearsFrom(now, -1),
      date_of_expiry: dateYearsFrom(now, 9),
      email: person.email,
      phone_number: person.phone_number,
      picture: dataUrl(person.portrait),
      issuing_authority: 'Utopia Registry of Persons',
      issuing_country: 'UT',
    },
  }
}

/** PID Rulebook §3.1. */
function pidMdoc(person: Person, now: Date): UnsignedCredential {
  const { address } = person
  return {
    document: 'pid',
    condition: 'valid',
    format: 'mso_mdoc',
    type: namespace,
    claims: {
      [namespace]: {
        family_name: person.family_name,
        given_name: person.given_name,
        birth_date: fullDate(person.birth_date),
        place_of_birth: textMap(person.birth_place),
        nationality: [person.nationality],
        resident_address: addressLine(address),
        resident_street: address.street,
        resident_postal_code: address.postal_code,
        resident_city: address.locality,
        resident_country: address.country,
        sex: person.sex,
        family_name_birth: person.birth_family_name,
        given_name_birth: person.given_name,
        personal_administrative_number: person.personal_number,
        document_number: `UT${person.personal_number}`,
        issuance_date: fullDate(dateYearsFrom(now, -1)),
        expiry_date: fullDate(dateYearsFrom(now, 9)),
        email_address: person.email,
        mobile_phone_number: person.phone_number,
        portrait: person.portrait,
        issuing_authority: 'Utopia Registry of Persons',
        issuing_country: 'UT',
      },
    },
  }
}

function dataUrl(jpeg: Uint8Array): string {
  return jpeg.length === 0 ? '' : `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}`
}
