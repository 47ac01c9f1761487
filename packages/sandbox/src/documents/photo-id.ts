import { fullDate } from '../cbor/encode.ts'
import type { UnsignedCredential } from './credential.ts'
import { ageOn, dateYearsFrom, type Person } from './person.ts'

/** A photo ID with the common elements of ISO/IEC 23220-2 (namespace `org.iso.23220.1`). */
export function photoId(person: Person, now: Date): UnsignedCredential {
  const age = ageOn(person.birth_date, now)
  return {
    document: 'photo_id',
    condition: 'valid',
    format: 'mso_mdoc',
    type: 'org.iso.23220.photoID.1',
    claims: {
      'org.iso.23220.1': {
        family_name_unicode: person.family_name,
        given_name_unicode: person.given_name,
        birth_date: fullDate(person.birth_date),
        portrait: person.portrait,
        sex: person.sex,
        nationality: person.nationality,
        document_number: `P${person.personal_number}`,
        issue_date: fullDate(dateYearsFrom(now, -1)),
        expiry_date: fullDate(dateYearsFrom(now, 9)),
        issuing_country: 'UT',
        issuing_authority_unicode: 'Utopia Registry of Persons',
        age_over_16: age >= 16,
        age_over_18: age >= 18,
        age_over_21: age >= 21,
      },
    },
  }
}
