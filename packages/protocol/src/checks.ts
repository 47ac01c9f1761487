import type { Explanation, FailureCode } from './failures.ts'

export type Check = Explanation & {
  /** The error code of a failure. Absent when the check can only warn. */
  code?: FailureCode
}

/** Every check by its stable name. A name that is not listed here cannot be reported. */
export const checks = {
  vp_token: {
    meaning: 'The response has the required form: a list of presentations for each credential of the query.',
    remedy:
      'The wallet does not follow the protocol. Ask the holder to update it, or report it to the wallet provider.',
    code: 'credential_malformed',
  },
  credential_encoding: {
    meaning:
      'The credential can be parsed: its parts are present, well formed, and within the limits on size and depth.',
    remedy:
      'The wallet sent data that is not a credential of this format. Ask the holder to update the wallet, or report it to the wallet provider.',
    code: 'credential_malformed',
  },
  credential_text: {
    meaning: 'The text of every claim is valid Unicode without NUL characters.',
    remedy:
      'The issuer signed text that cannot be stored or displayed safely. Ask the holder for another credential and report this one to its issuer.',
    code: 'credential_malformed',
  },
  disclosures: {
    meaning:
      'Every disclosed claim was signed by the issuer, is disclosed once, and replaces no other claim.',
    remedy:
      'The wallet changed, repeated or added a claim. Do not accept the credential; report it to the wallet provider.',
    code: 'credential_malformed',
  },
  issuer_algorithm: {
    meaning: 'The issuer signed with an accepted algorithm that matches its key.',
    remedy:
      'The credential was not signed as its profile requires. Ask the holder for a credential from another issuer.',
    code: 'signature_invalid',
  },
  issuer_signature: {
    meaning: 'The credential carries a valid signature by the certificate it names.',
    remedy: 'The credential was altered or forged. Do not accept it.',
    code: 'signature_invalid',
  },
  element_digests: {
    meaning: 'Every element of the document was signed by the issuer and occurs once.',
    remedy: 'An element was altered, added or repeated. Do not accept the document.',
    code: 'signature_invalid',
  },
  signing_time: {
    meaning: "The document was signed while its signer's certificate was valid.",
    remedy: 'The issuer has to sign the document again. Ask the holder to renew it.',
    code: 'signature_invalid',
  },
  issuer_certificate: {
    meaning: "The issuer's certificates are included, readable, and in the right order.",
    remedy:
      'The credential does not show who signed it. Ask the holder for a credential from another issuer.',
    code: 'issuer_untrusted',
  },
  issuer_trust: {
    meaning: "The issuer's certificates lead to an authority that you trust in this environment.",
    remedy:
      'No authority that you trust certifies this issuer. If the issuer is genuine, add its authority under Settings, Trust; test credentials never pass in the live environment.',
    code: 'issuer_untrusted',
  },
  issuer_document_type: {
    meaning: 'The authority that certifies the issuer is trusted for this type of document.',
    remedy:
      'The issuer is known, but not for documents of this type. Check the document types of its authority under Settings, Trust.',
    code: 'issuer_untrusted',
  },
  issuer_certificate_validity: {
    meaning: 'Every certificate from the issuer up to its authority is valid today.',
    remedy: 'The issuer has to renew its certificate. Ask the holder to renew the credential.',
    code: 'issuer_untrusted',
  },
  issuer_certificate_profile: {
    meaning:
      'Each certificate may be used as it was: the authority may certify, the signer may sign, and no unknown critical extension is present.',
    remedy:
      'The credential was signed with a certificate that is not meant for signing credentials. Do not accept it.',
    code: 'issuer_untrusted',
  },
  issuer_certificate_purpose: {
    meaning:
      "The signer's certificate is meant for signing documents. For a driving licence it must say so; for any other document it must not name a purpose that excludes signing.",
    remedy:
      'If it failed, do not accept the document: its signer is not allowed to sign it. If it is a warning, do nothing; many issuers use a seal certificate.',
    code: 'issuer_untrusted',
  },
  issuer_certificate_revocation: {
    meaning:
      "No certificate between the issuer's authority and the credential, or its status list, has been revoked.",
    remedy:
      'The authority withdrew the certificate of the issuer, for example because its key was stolen. Do not accept the credential.',
    code: 'issuer_untrusted',
  },
  issuer_certificate_crl: {
    meaning:
      "The revocation lists or OCSP responders that the issuer's certificates name are available, genuine and up to date.",
    remedy:
      "It is unknown whether the issuer's certificate was revoked. Try again later; if the problem persists, the issuer's authority has to repair its list or its responder.",
    code: 'status_unavailable',
  },
  issuer_country: {
    meaning:
      "A driving licence, its signer's certificate and its authority's certificate name the same country, and the same state if they name one; the type of a national PID and its signer's certificate name the same country.",
    remedy: 'One authority signed in the name of another. Do not accept the document.',
    code: 'issuer_untrusted',
  },
  holder_key: {
    meaning: "The credential names the holder's key, and the key is usable.",
    remedy:
      'The credential is not bound to a holder, so anyone could present a copy of it. Ask the holder for another.',
    code: 'holder_binding_invalid',
  },
  key_binding: {
    meaning: 'The wallet included a proof, in the required form, that it holds the key of the credential.',
    remedy:
      'Ask the holder to try again with an updated wallet. Without this proof the credential may be a copy.',
    code: 'holder_binding_invalid',
  },
  key_binding_signature: {
    meaning: "The proof is signed with the holder's key.",
    remedy: 'The credential was presented by someone who does not hold its key. Do not accept it.',
    code: 'holder_binding_invalid',
  },
  key_binding_nonce: {
    meaning: 'The proof was made for this verification.',
    remedy:
      'The response belongs to another verification, or was recorded and replayed. Start a new verification.',
    code: 'holder_binding_invalid',
  },
  key_binding_audience: {
    meaning: 'The proof was made for this service and for no other verifier.',
    remedy: 'The response was made for another verifier and forwarded. Do not accept it.',
    code: 'holder_binding_invalid',
  },
  key_binding_time: {
    meaning: 'The proof was made after the verification began, and not in the future.',
    remedy:
      "The clock of the holder's phone may be wrong: have it set automatically, and start a new verification.",
    code: 'holder_binding_invalid',
  },
  key_binding_hash: {
    meaning: 'The proof covers exactly the claims that were disclosed.',
    remedy: 'Claims were added or removed after the holder consented. Do not accept the credential.',
    code: 'holder_binding_invalid',
  },
  device_signature: {
    meaning: "The document was presented for this session and signed with the holder's key.",
    remedy:
      'The response belongs to another verification or another verifier, or its sender does not hold the key. Start a new verification.',
    code: 'holder_binding_invalid',
  },
  device_mac: {
    meaning:
      'The wallet proved possession with a signature, not with a message authentication code, which only the other party of a direct exchange can verify.',
    remedy:
      'This wallet cannot present documents online in a way that can be verified. Ask the holder to use another.',
    code: 'holder_binding_invalid',
  },
  device_signed_elements: {
    meaning: 'Every element that the wallet added is one the issuer allows it to add.',
    remedy: 'The wallet stated something that it is not allowed to state. Do not accept the document.',
    code: 'holder_binding_invalid',
  },
  credential_validity: {
    meaning: 'The credential is currently valid.',
    remedy: 'It has expired, or is not valid yet. Ask the holder to renew it.',
    code: 'credential_expired',
  },
  revocation: {
    meaning: 'The issuer has neither revoked nor suspended the credential.',
    remedy: 'Do not accept the credential. The holder can ask the issuer for the reason.',
    code: 'credential_revoked',
  },
  status_list: {
    meaning: "The issuer's status list is available, genuine and up to date, and includes this credential.",
    remedy:
      'It is unknown whether the credential was revoked. Try again later; if the problem persists, the issuer has to repair its list.',
    code: 'status_unavailable',
  },
  query_id: {
    meaning: 'Every presentation in the response belongs to a credential of the query.',
    remedy:
      'The wallet does not follow the protocol. Ask the holder to update it, or report it to the wallet provider.',
    code: 'query_not_satisfied',
  },
  credential_query: {
    meaning:
      'The part of the query that the wallet answered follows the rules of DCQL, so it can be matched.',
    remedy: 'Correct the query: the warning in the created verification names the place and the rule.',
    code: 'query_not_satisfied',
  },
  presentation_count: {
    meaning:
      'There is one presentation for each credential of the query, or several if the query allows several.',
    remedy:
      'The wallet does not follow the protocol. Ask the holder to update it, or report it to the wallet provider.',
    code: 'query_not_satisfied',
  },
  credential_sets: {
    meaning:
      'Every credential that the query requires, or one of its alternatives, was presented, and at least one if it requires none.',
    remedy:
      'Ask the holder to present everything that is required, or offer more alternatives in your template.',
    code: 'query_not_satisfied',
  },
  credential_format: {
    meaning: 'The credential has the format that the query names.',
    remedy:
      'The wallet presented another format. Ask the holder to update it, or let your template accept both formats.',
    code: 'query_not_satisfied',
  },
  credential_type: {
    meaning: 'The credential has a type that the query names.',
    remedy:
      'The wallet presented another document. Ask the holder to choose the right one, or add its type to your template.',
    code: 'query_not_satisfied',
  },
  requested_claims: {
    meaning: 'All requested claims, or all claims of one alternative set, were disclosed.',
    remedy:
      'The credential does not have the claim, or the holder withheld it. Request fewer claims, or offer an alternative claim set.',
    code: 'query_not_satisfied',
  },
  claim_values: {
    meaning: 'The claim has one of the values that the query names.',
    remedy: 'The holder does not meet the condition in your query.',
    code: 'query_not_satisfied',
  },
  trusted_authority: {
    meaning: 'The issuer is certified by one of the authorities that the query names.',
    remedy:
      'Ask the holder for a credential certified by one of these authorities, or name more authorities in your query.',
    code: 'query_not_satisfied',
  },
  template_requirement: {
    meaning:
      'The requirements of the template are met: for example, the holder is old enough or the portrait is present.',
    remedy: 'Nothing is wrong with the credential: the holder does not meet the requirement.',
    code: 'requirement_not_met',
  },
  claims_not_requested: {
    meaning: 'Only requested claims were disclosed.',
    remedy:
      'Nothing: claims that were not requested were dropped and not stored. Some issuers include claims that a wallet cannot withhold.',
  },
  conflicting_claims: {
    meaning: 'Credentials that state the same claim agree on its value.',
    remedy:
      'Compare the claims of each credential; the merged claims contain the value of the credential that the query lists first.',
  },
  discarded_presentations: {
    meaning: 'Every presented credential passes its checks, also those that the query does not need.',
    remedy: 'Nothing: the others satisfy the query, and nothing of the discarded credentials was used.',
  },
} as const satisfies Record<string, Check>

export type CheckName = keyof typeof checks
