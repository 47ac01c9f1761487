import type { UnsignedCredential } from './credential.ts'
import { ageOn, type Person } from './person.ts'

/** The proof of age of the EU age verification profile: age thresholds only. */
export function ageAttestation(person: Person, now: Date): UnsignedCredential {
  const age = ageOn(person.birth_date, now)
  return {
    document: 'av',
    condition: 'valid',
    format: 'mso_mdoc',
    type: 'eu.europa.ec.av.1',
    claims: {
      'eu.europa.ec.av.1': { age_over_16: age >= 16, age_over_18: age >= 18, age_over_21: age >= 21 },
    },
  }
}
