import { fullDate, textMap, type Cbor } from '../cbor/encode.ts'
import type { UnsignedCredential } from './credential.ts'
import { addressLine, ageOn, dateYearsFrom, type Person } from './person.ts'

/** A mobile driving licence with the mandatory elements of ISO/IEC 18013-5 §7.2.1 and the optional ones that templates request. */
export function mdl(person: Person, now: Date): UnsignedCredential {
  const age = ageOn(person.birth_date, now)
  const { address } = person
  return {
    document: 'mdl',
    condition: 'valid',
    format: 'mso_mdoc',
    type: 'org.iso.18013.5.1.mDL',
    claims: {
      'org.iso.18013.5.1': {
        family_name: person.family_name,
        given_name: person.given_name,
        birth_date: fullDate(person.birth_date),
        issue_date: fullDate(dateYearsFrom(now, -1)),
        expiry_date: fullDate(dateYearsFrom(now, 9)),
        issuing_country: 'UT',
        issuing_authority: 'Utopia Road Office',
        document_number: `D${person.personal_number}`,
        portrait: person.portrait,
        driving_privileges: [drivingPrivilege('B', now), drivingPrivilege('AM', now)],
        un_distinguishing_sign: 'UT',
        sex: person.sex,
        resident_address: addressLine(address),
        resident_postal_code: address.postal_code,
        resident_city: address.locality,
        resident_country: address.country,
        age_in_years: age,
        age_over_16: age >= 16,
        age_over_18: age >= 18,
        age_over_21: age >= 21,
      },
      // US licences add this (AAMVA mDL Implementation Guidelines §3.2). F: fully compliant with REAL ID.
      'org.iso.18013.5.1.aamva': { DHS_compliance: 'F' },
    },
  }
}

function drivingPrivilege(category: string, now: Date): Cbor {
  return textMap({
    vehicle_category_code: category,
    issue_date: fullDate(dateYearsFrom(now, -1)),
    expiry_date: fullDate(dateYearsFrom(now, 9)),
  })
}
