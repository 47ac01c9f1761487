import type { HolderTexts } from '../languages/en.ts'
import type { Path } from './read-query.ts'

export type ClaimName = { name: keyof HolderTexts['claims']; years?: string }

/**
 * Names the claim at a path, so that the same claim of different documents has one name. Undefined if the path is
 * unknown. Only the path counts, never the name in a template's vocabulary: a merchant chooses that one freely.
 */
export function nameClaim(format: unknown, path: Path): ClaimName | undefined {
  // An mdoc path is a namespace and an element (OpenID4VP 1.0 §7.2).
  const parts = (format === 'mso_mdoc' ? path.slice(1) : path).filter((part) => part !== null)
  const joined = parts.join('.')
  const years = /^age_(?:over_|equal_or_over\.)([0-9]{1,3})$/.exec(joined)?.[1]
  if (years !== undefined) return { name: 'age_over', years }
  const name = names.get(joined)
  return name === undefined ? undefined : { name }
}

/** The paths of PID Rulebook §3.1 and §4.1, ISO/IEC 18013-5 §7.2, ISO/IEC 23220-2, AAMVA, and the pilots' documents. */
export const claimPaths = {
  age_thresholds: ['age_equal_or_over'],
  age_in_years: ['age_in_years'],
  birth_year: ['age_birth_year'],
  birth_date: ['birth_date', 'birthdate'],
  birth_place: [
    'place_of_birth',
    'place_of_birth.country',
    'place_of_birth.region',
    'place_of_birth.locality',
    'birth_place',
    'birthplace',
  ],
  birth_family_name: ['birth_family_name', 'family_name_birth', 'name_at_birth'],
  birth_given_name: ['birth_given_name', 'given_name_birth'],
  family_name: ['family_name', 'family_name_unicode', 'family_name_national_character', 'family_name_latin1'],
  given_name: ['given_name', 'given_name_unicode', 'given_name_national_character', 'given_name_latin1'],
  nationality: ['nationality', 'nationalities'],
  sex: ['sex', 'gender'],
  portrait: ['portrait', 'picture'],
  signature: ['signature_usual_mark'],
  height: ['height'],
  weight: ['weight'],
  eye_colour: ['eye_colour'],
  hair_colour: ['hair_colour'],
  email: ['email', 'email_address'],
  phone_number: ['phone_number', 'mobile_phone_number'],
  address: ['address', 'address.formatted', 'resident_address', 'resident_address_unicode'],
  street_address: ['address.street_address', 'resident_street'],
  house_number: ['address.house_number', 'resident_house_number'],
  postal_code: ['address.postal_code', 'resident_postal_code'],
  locality: ['address.locality', 'resident_city', 'resident_city_unicode'],
  region: ['address.region', 'resident_state'],
  country: ['address.country', 'resident_country'],
  residence_address: ['residence_address'],
  personal_number: ['personal_administrative_number'],
  document_number: ['document_number'],
  issue_date: ['issue_date', 'issuance_date', 'date_of_issuance'],
  expiry_date: ['expiry_date', 'date_of_expiry'],
  issuing_authority: ['issuing_authority', 'issuing_authority_unicode'],
  issuing_country: ['issuing_country'],
  driving_privileges: ['driving_privileges'],
  distinguishing_sign: ['un_distinguishing_sign'],
  real_id: ['DHS_compliance'],
  iban: ['iban'],
  account_given_name: ['registered_given_name'],
  account_family_name: ['registered_family_name'],
  institution: ['authentic_source', 'authentic_source.name'],
  institution_number: ['authentic_source.id'],
  university: ['schacHomeOrganization'],
  university_role: ['eduPersonPrimaryAffiliation'],
  achievement: ['achievement_title'],
} satisfies Partial<Record<keyof HolderTexts['claims'], string[]>>

const names = new Map(
  // Object.entries loses the names' type; they were checked where `claimPaths` is declared.
  (Object.entries(claimPaths) as [keyof HolderTexts['claims'], string[]][]).flatMap(([name, at]) =>
    at.map((path) => [path, name] as const),
  ),
)
