import type { Explanation, FailureCode } from './failures.ts'

export type Check = Explanation & {
  /** The error that a failure gives. Absent where the check can only warn. */
  code?: FailureCode
}

/** Every check by its stable name. A name that is not here cannot be reported. */
export const checks = {
  vp_token: {
    meaning:
      'The answer has the form that was asked for: for each credential of the query a list of presentations.',
    remedy:
      'The wallet does not keep to the protocol. Ask the holder to update it, or report it to its provider.',
    code: 'credential_malformed',
  },
  credential_encoding: {
    meaning:
      'The credential can be read: its parts are there, well formed, and within the limits of size and depth.',
    remedy:
      'The wallet sent something that is no credential of this format. Ask the holder to update the wallet, or report it to its provider.',
    code: 'credential_malformed',
  },
  credential_text: {
    meaning: 'The text of every claim is proper Unicode, without NUL characters.',
    remedy:
      'The issuer signed text that cannot be stored or shown safely. Ask the holder for another credential and report this one to its issuer.',
    code: 'credential_malformed',
  },
  disclosures: {
    meaning: 'Every disclosed claim is one that the issuer signed, disclosed once, and hides no other.',
    remedy:
      'The wallet changed, repeated or added a claim. Do not accept the credential; report it to the provider of the wallet.',
    code: 'credential_malformed',
  },
  issuer_algorithm: {
    meaning: 'The issuer signed with an algorithm that is accepted here and fits its key.',
    remedy: 'The credential was not signed as its profile asks. Ask the holder for one of another issuer.',
    code: 'signature_invalid',
  },
  issuer_signature: {
    meaning: 'The credential carries the genuine signature of the certificate it names.',
    remedy: 'The credential was altered or forged. Do not accept it.',
    code: 'signature_invalid',
  },
  element_digests: {
    meaning: 'Every element of the document is one that the issuer signed, and occurs once.',
    remedy: 'An element was altered, added or repeated. Do not accept the document.',
    code: 'signature_invalid',
  },
  signing_time: {
    meaning: "The document was signed while its signer's certificate was valid.",
    remedy: 'The issuer has to sign the document anew. Ask the holder to renew it.',
    code: 'signature_invalid',
  },
  issuer_certificate: {
    meaning: "The issuer's certificates are enclosed, can be read, and stand in the right order.",
    remedy: 'The credential does not show who signed it. Ask the holder for one of another issuer.',
    code: 'issuer_untrusted',
  },
  issuer_trust: {
    meaning: "The issuer's certificates lead to an authority that you trust in this environment.",
    remedy:
      'Nobody you trust vouches for this issuer. If it is genuine, add its authority under Settings, Trust; test credentials never pass in the live environment.',
    code: 'issuer_untrusted',
  },
  issuer_document_type: {
    meaning: 'The authority that vouches for the issuer does so for this type of document.',
    remedy:
      'The issuer is known, but not for documents of this type. Check the types of its authority under Settings, Trust.',
    code: 'issuer_untrusted',
  },
  issuer_certificate_validity: {
    meaning: 'Every certificate between the issuer and its authority is valid today.',
    remedy: 'The issuer has to renew its certificate. Ask the holder to renew the credential.',
    code: 'issuer_untrusted',
  },
  issuer_certificate_profile: {
    meaning:
      'The certificates may be used as they were: the authority may certify, the signer may sign, nothing unknown is demanded.',
    remedy:
      'The credential was signed with a certificate that is not meant for signing credentials. Do not accept it.',
    code: 'issuer_untrusted',
  },
  issuer_certificate_purpose: {
    meaning:
      "The signer's certificate is meant for signing documents. A driving licence's says so; any other names no purpose that excludes it.",
    remedy:
      'As a failure: do not accept the document, its signer may not sign it. As a warning: nothing; many issuers use the certificate of a seal.',
    code: 'issuer_untrusted',
  },
  issuer_country: {
    meaning:
      'A driving licence, the certificate of its signer and that of its authority name the same country, and the same state where they name one.',
    remedy: 'One authority signed for another. Do not accept the document.',
    code: 'issuer_untrusted',
  },
  holder_key: {
    meaning: "The credential names the holder's key, and the key can be used.",
    remedy:
      'The credential is bound to no holder, so that anybody could show a copy of it. Ask the holder for another.',
    code: 'holder_binding_invalid',
  },
  key_binding: {
    meaning:
      'The wallet enclosed a proof that it holds the key of the credential, in the form that was asked for.',
    remedy:
      'Ask the holder to try again with an updated wallet. Without this proof the credential may be a copy.',
    code: 'holder_binding_invalid',
  },
  key_binding_signature: {
    meaning: "The proof is signed with the holder's key.",
    remedy: 'The credential was shown by somebody who does not hold its key. Do not accept it.',
    code: 'holder_binding_invalid',
  },
  key_binding_nonce: {
    meaning: 'The proof was made for this very session.',
    remedy: 'The answer belongs to another session, or was recorded and replayed. Start a new verification.',
    code: 'holder_binding_invalid',
  },
  key_binding_audience: {
    meaning: 'The proof was made for this service and for nobody else.',
    remedy: 'The answer was made for another verifier and passed on. Do not accept it.',
    code: 'holder_binding_invalid',
  },
  key_binding_time: {
    meaning: 'The proof was made after the session began, and not in the future.',
    remedy:
      "The clock of the holder's phone may be wrong: have it set automatically, and start a new verification.",
    code: 'holder_binding_invalid',
  },
  key_binding_hash: {
    meaning: 'The proof covers exactly the claims that were disclosed.',
    remedy: 'Claims were added or removed after the holder agreed. Do not accept the credential.',
    code: 'holder_binding_invalid',
  },
  device_signature: {
    meaning: "The document was shown for this session, signed with the holder's key.",
    remedy:
      'The answer belongs to another session or another verifier, or its sender does not hold the key. Start a new verification.',
    code: 'holder_binding_invalid',
  },
  device_mac: {
    meaning:
      'The wallet proved possession by a signature and not by a message authentication code, which only a partner in a live exchange could check.',
    remedy:
      'This wallet cannot answer over the internet in a way that can be checked. Ask the holder to use another.',
    code: 'holder_binding_invalid',
  },
  device_signed_elements: {
    meaning: 'Elements that the wallet itself added are such as the issuer allowed it to add.',
    remedy: 'The wallet stated something that it may not state. Do not accept the document.',
    code: 'holder_binding_invalid',
  },
  credential_validity: {
    meaning: 'The credential is in date.',
    remedy: 'It has lapsed, or is not valid yet. Ask the holder to renew it.',
    code: 'credential_expired',
  },
  revocation: {
    meaning: 'The issuer has neither revoked nor suspended the credential.',
    remedy: 'Do not accept the credential. The holder can learn the reason from the issuer.',
    code: 'credential_revoked',
  },
  status_list: {
    meaning:
      "The issuer's list of revoked credentials could be had, is genuine and up to date, and covers this credential.",
    remedy:
      'Whether the credential was revoked is unknown. Try again later; if it goes on, the issuer has to repair its list.',
    code: 'status_unavailable',
  },
  query_id: {
    meaning: 'The wallet answered what was asked: every answer belongs to a credential of the query.',
    remedy:
      'The wallet does not keep to the protocol. Ask the holder to update it, or report it to its provider.',
    code: 'query_not_satisfied',
  },
  credential_query: {
    meaning:
      'The part of the query that the wallet answered keeps the rules, so that an answer can be held against it.',
    remedy:
      'Repair the query: the warning that came with the created verification names the place and the rule.',
    code: 'query_not_satisfied',
  },
  presentation_count: {
    meaning:
      'There is one presentation for each credential of the query, or several where several were asked for.',
    remedy:
      'The wallet does not keep to the protocol. Ask the holder to update it, or report it to its provider.',
    code: 'query_not_satisfied',
  },
  credential_sets: {
    meaning: 'Every credential that the query requires, or one of the alternatives it offers, was presented.',
    remedy:
      'Ask the holder to present everything that was asked for, or offer further alternatives in your template.',
    code: 'query_not_satisfied',
  },
  credential_format: {
    meaning: 'The credential is of the format that the query names.',
    remedy:
      'The wallet answered with another format. Ask the holder to update it, or let your template offer both formats.',
    code: 'query_not_satisfied',
  },
  credential_type: {
    meaning: 'The credential is of a type that the query names.',
    remedy:
      'The wallet answered with another document. Ask the holder to choose the right one, or add its type to your template.',
    code: 'query_not_satisfied',
  },
  requested_claims: {
    meaning: 'All claims that the query asks for, or one whole set of its alternatives, were disclosed.',
    remedy:
      'The credential has no such claim or the holder withheld it. Ask for less, or offer an alternative set of claims.',
    code: 'query_not_satisfied',
  },
  claim_values: {
    meaning: 'The claim has one of the values that the query names.',
    remedy: 'The holder does not meet what you asked for.',
    code: 'query_not_satisfied',
  },
  trusted_authority: {
    meaning: 'The issuer stands under one of the authorities that the query names.',
    remedy:
      'Ask the holder for a credential of one of these authorities, or name further ones in your query.',
    code: 'query_not_satisfied',
  },
  template_requirement: {
    meaning: 'What the template says must hold does hold: the holder is old enough, the portrait is there.',
    remedy: 'Nothing is wrong with the credential: the holder does not meet the requirement.',
    code: 'requirement_not_met',
  },
  claims_not_requested: {
    meaning: 'No more was shown than the query asked for.',
    remedy:
      'Nothing: what was not asked for was dropped unseen. Some issuers leave claims open that a wallet cannot hide.',
  },
  conflicting_claims: {
    meaning: 'Where several credentials state the same claim, they agree.',
    remedy:
      'Look at the claims of each credential; the merged claims hold the one that the query names first.',
  },
} as const satisfies Record<string, Check>

export type CheckName = keyof typeof checks
