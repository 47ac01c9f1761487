import { createHash, randomBytes } from 'node:crypto'
import { unaltered } from '../alterations.ts'
import { dateTime, embedCbor, encodeCbor, textMap, type Cbor } from '../cbor/encode.ts'
import type { MdocClaims } from '../documents/credential.ts'
import { toCoseArray, signCose } from '../keys/sign-cose.ts'
import { toCoseKey } from '../keys/signing-key.ts'
import type { Issuer } from './create-issuer.ts'
import type { IssueOptions } from './issue-sd-jwt.ts'
import { coseHeaders } from './signer.ts'
import { statusReference } from './status-lists.ts'
import { findValidityPeriod } from './validity-period.ts'

type MdocItem = {
  readonly namespace: string
  readonly element: string
  readonly digest_id: number
  /** IssuerSignedItemBytes with its tag: the input of the digest. */
  readonly encoded: Uint8Array
}

export type MdocCredential = {
  readonly doctype: string
  readonly items: readonly MdocItem[]
  readonly issuer_auth: readonly Cbor[]
}

/** Issues an mdoc (ISO/IEC 18013-5 §9.1.2): items, their digests in the mobile security object, and the issuer's signature over it. */
export function issueMdoc(
  issuer: Issuer,
  { credential, holder_key, now, alter = unaltered }: IssueOptions<'mso_mdoc'>,
): MdocCredential {
  const signer = alter('signer', issuer.signers[credential.document])
  const items = createItems(credential.claims, (item) => alter('item', item))
  const period = findValidityPeriod(credential.condition, now)
  const mso = textMap({
    version: '1.0',
    digestAlgorithm: 'SHA-256',
    valueDigests: createValueDigests(items),
    deviceKeyInfo: textMap({ deviceKey: toCoseKey(holder_key) }),
    docType: credential.type,
    validityInfo: textMap({
      signed: dateTime(period.signed),
      validFrom: dateTime(period.from),
      validUntil: dateTime(period.until),
    }),
    status: textMap({ status_list: textMap(statusReference(issuer, credential)) }),
  })
  const payload = encodeCbor(embedCbor(encodeCbor(alter('mso', mso))))
  const draft = alter('issuer_cose', { ...coseHeaders(signer), payload })
  const issuerAuth = signCose(draft, signer.key)
  return { doctype: credential.type, items, issuer_auth: toCoseArray(alter('issuer_auth', issuerAuth)) }
}

type ItemAlteration = (item: Map<Cbor, Cbor>) => Map<Cbor, Cbor>

function createItems(claims: MdocClaims, alter: ItemAlteration): MdocItem[] {
  return Object.entries(claims).flatMap(([namespace, elements]) =>
    Object.entries(elements).map(([element, value], digestId) => ({
      namespace,
      element,
      digest_id: digestId,
      encoded: encodeItem(digestId, element, value, alter),
    })),
  )
}

export function encodeItem(
  digestId: number,
  element: string,
  value: Cbor,
  alter: ItemAlteration = (item) => item,
): Uint8Array {
  const item = textMap({
    digestID: digestId,
    random: randomBytes(32),
    elementIdentifier: element,
    elementValue: value,
  })
  return encodeCbor(embedCbor(encodeCbor(alter(item))))
}

function createValueDigests(items: readonly MdocItem[]): Cbor {
  const byNamespace = new Map<Cbor, Map<Cbor, Cbor>>()
  for (const { namespace, digest_id, encoded } of items) {
    const digests = byNamespace.get(namespace) ?? new Map<Cbor, Cbor>()
    byNamespace.set(namespace, digests.set(digest_id, createHash('sha256').update(encoded).digest()))
  }
  return byNamespace
}
