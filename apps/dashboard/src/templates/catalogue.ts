import type { Texts } from '../texts/languages.ts'

type Format = 'dc+sd-jwt' | 'mso_mdoc'
export type Path = readonly (string | null)[]
type ClaimType = 'image' | 'date'
/** A claim that the catalogue of texts names. */
type ClaimName = keyof Texts['templates']['claims']

/** A document type in one credential format, with the path of each claim of the vocabulary. */
export type CredentialSource = {
  id: string
  document: DocumentName
  format: Format
  meta: Record<string, unknown>
  /** The preferred path first. */
  paths: Record<string, readonly Path[]>
}

export type DocumentName = 'pid' | 'mdl' | 'photo_id' | 'av'

export const documents = ['pid', 'mdl', 'photo_id', 'av'] as const satisfies readonly DocumentName[]

const pid = 'eu.europa.ec.eudi.pid.1'
const mdl = 'org.iso.18013.5.1'
const photo = 'org.iso.23220.1'

export const sources: readonly CredentialSource[] = [
  {
    id: 'pid_sd_jwt',
    document: 'pid',
    format: 'dc+sd-jwt',
    meta: { vct_values: ['urn:eudi:pid:1', 'urn:eudi:pid:de:1'] },
    paths: {
      age_over_16: [['age_equal_or_over', '16']],
      age_over_18: [['age_equal_or_over', '18']],
      age_over_21: [['age_equal_or_over', '21']],
      given_name: [['given_name']],
      family_name: [['family_name']],
      birth_date: [['birthdate']],
      nationalities: [['nationalities', null]],
      street_address: [['address', 'street_address']],
      postal_code: [['address', 'postal_code']],
      locality: [['address', 'locality']],
      country: [['address', 'country']],
      document_number: [['document_number']],
      expiry_date: [['date_of_expiry']],
      issuing_country: [['issuing_country']],
      portrait: [['picture']],
    },
  },
  {
    id: 'pid_mdoc',
    document: 'pid',
    format: 'mso_mdoc',
    meta: { doctype_value: pid },
    paths: {
      age_over_16: [[pid, 'age_over_16']],
      age_over_18: [[pid, 'age_over_18']],
      age_over_21: [[pid, 'age_over_21']],
      given_name: [[pid, 'given_name']],
      family_name: [[pid, 'family_name']],
      birth_date: [[pid, 'birth_date']],
      nationalities: [[pid, 'nationality']],
      street_address: [[pid, 'resident_street']],
      postal_code: [[pid, 'resident_postal_code']],
      locality: [[pid, 'resident_city']],
      country: [[pid, 'resident_country']],
      document_number: [[pid, 'document_number']],
      expiry_date: [[pid, 'expiry_date']],
      issuing_country: [[pid, 'issuing_country']],
      portrait: [[pid, 'portrait']],
    },
  },
  {
    id: 'mdl',
    document: 'mdl',
    format: 'mso_mdoc',
    meta: { doctype_value: 'org.iso.18013.5.1.mDL' },
    paths: {
      age_over_16: [[mdl, 'age_over_16']],
      age_over_18: [[mdl, 'age_over_18']],
      age_over_21: [[mdl, 'age_over_21']],
      given_name: [[mdl, 'given_name']],
      family_name: [[mdl, 'family_name']],
      birth_date: [[mdl, 'birth_date']],
      postal_code: [[mdl, 'resident_postal_code']],
      locality: [[mdl, 'resident_city']],
      country: [[mdl, 'resident_country']],
      document_number: [[mdl, 'document_number']],
      expiry_date: [[mdl, 'expiry_date']],
      issuing_country: [[mdl, 'issuing_country']],
      driving_privileges: [[mdl, 'driving_privileges']],
      portrait: [[mdl, 'portrait']],
    },
  },
  {
    id: 'photo_id',
    document: 'photo_id',
    format: 'mso_mdoc',
    meta: { doctype_value: 'org.iso.23220.photoID.1' },
    paths: {
      age_over_18: [[photo, 'age_over_18']],
      given_name: [[photo, 'given_name_unicode']],
      family_name: [[photo, 'family_name_unicode']],
      birth_date: [[photo, 'birth_date']],
      portrait: [[photo, 'portrait']],
    },
  },
  {
    id: 'av',
    document: 'av',
    format: 'mso_mdoc',
    meta: { doctype_value: 'eu.europa.ec.av.1' },
    paths: { age_over_18: [['eu.europa.ec.av.1', 'age_over_18']] },
  },
]

/** The claims a template can name, in the order of the form. */
export const vocabulary: readonly { name: ClaimName; as?: ClaimType }[] = [
  { name: 'age_over_16' },
  { name: 'age_over_18' },
  { name: 'age_over_21' },
  { name: 'given_name' },
  { name: 'family_name' },
  { name: 'birth_date', as: 'date' },
  { name: 'portrait', as: 'image' },
  { name: 'nationalities' },
  { name: 'street_address' },
  { name: 'postal_code' },
  { name: 'locality' },
  { name: 'country' },
  { name: 'document_number' },
  { name: 'expiry_date', as: 'date' },
  { name: 'issuing_country' },
  { name: 'driving_privileges' },
]

/** The title that people read. */
export function claimTitle(name: string, titles: Record<ClaimName, string>): string {
  return isClaimName(name) ? titles[name] : name
}

function isClaimName(name: string): name is ClaimName {
  return vocabulary.some((claim) => claim.name === name)
}
