import { fullDate, type Cbor } from '../cbor/encode.ts'
import type { JsonObject } from '../keys/sign-jws.ts'
import type { UnsignedCredential } from './credential.ts'
import { addressLine, dateYearsFrom, type Person } from './person.ts'

/** Attestations of the EU pilots, with the claims that the preview templates request. Their types are not final. */
export function pilotAttestations(person: Person, now: Date): UnsignedCredential[] {
  const { given_name, family_name } = person
  const account = {
    iban: 'DE02120300000000202051',
    registered_given_name: given_name,
    registered_family_name: family_name,
  }
  return [
    sdJwtCredential('urn:eudi:ehic:1', {
      personal_administrative_number: person.personal_number,
      document_number: `E${person.personal_number}`,
      issuing_country: 'UT',
      authentic_source: { id: 'UT-1', name: 'Utopia Health Fund' },
      date_of_expiry: dateYearsFrom(now, 2),
    }),
    sdJwtCredential('urn:eu.europa.ec.eudi:iban:1', account),
    mdocCredential('eu.europa.ec.eudi.iban.1', account),
    sdJwtCredential('VerifiableStudentID', {
      schacHomeOrganization: 'university.example',
      eduPersonPrimaryAffiliation: 'student',
    }),
    sdJwtCredential('urn:eu.europa.ec.eudi:learning:credential:1', {
      family_name,
      given_name,
      achievement_title: 'Bachelor of Utopian Studies',
      issuing_authority: 'Utopia University',
      date_of_issuance: dateYearsFrom(now, -3),
    }),
    mdocCredential('eu.europa.ec.eudi.cor.1', {
      family_name,
      given_name,
      residence_address: addressLine(person.address),
      issuing_country: 'UT',
      issuing_authority: 'Utopia Registry of Persons',
      expiry_date: fullDate(dateYearsFrom(now, 9)),
    }),
  ]
}

function sdJwtCredential(type: string, claims: JsonObject): UnsignedCredential {
  return { document: 'pilot', condition: 'valid', format: 'dc+sd-jwt', type, claims }
}

/** The namespace has the same name as the type. */
function mdocCredential(type: string, elements: Readonly<Record<string, Cbor>>): UnsignedCredential {
  return { document: 'pilot', condition: 'valid', format: 'mso_mdoc', type, claims: { [type]: elements } }
}
