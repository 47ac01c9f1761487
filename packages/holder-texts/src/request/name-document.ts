import type { HolderTexts } from '../languages/en.ts'

/** Names a document type: the `vct` of an SD-JWT VC or the `docType` of an mdoc. Undefined if it is unknown. */
export function nameDocument(type: string): keyof HolderTexts['documents'] | undefined {
  // Member states derive their own types from the common one, such as urn:eudi:pid:de:1 (PID Rulebook §4.2).
  return /^urn:eudi:pid:(?:[a-z]{2}(?:-[a-z0-9]{1,3})?:)?[0-9]+$/.test(type) ? 'pid' : names.get(type)
}

const names = new Map<string, keyof HolderTexts['documents']>([
  ['eu.europa.ec.eudi.pid.1', 'pid'],
  ['org.iso.18013.5.1.mDL', 'mdl'],
  ['org.iso.23220.photoID.1', 'photo_id'],
  ['org.iso.23220.photoid.1', 'photo_id'],
  ['eu.europa.ec.av.1', 'age'],
  ['urn:eudi:ehic:1', 'ehic'],
  ['urn:eu.europa.ec.eudi:iban:1', 'iban'],
  ['eu.europa.ec.eudi.iban.1', 'iban'],
  ['urn:eu.europa.ec.eudi:learning:credential:1', 'learning_credential'],
  ['eu.europa.ec.eudi.cor.1', 'residence'],
  ['VerifiableStudentID', 'student'],
  ['com.google.wallet.idcard.1', 'id_pass'],
])
