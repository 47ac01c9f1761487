import { createHash, randomBytes } from 'node:crypto'
import { unaltered } from '../alterations.ts'
import { dateTime, embedded, encodeCbor, textMap, type Cbor } from '../cbor/encode.ts'
import type { MdocClaims } from '../documents/holding.ts'
import { coseArray, signCose } from '../keys/sign-cose.ts'
import { coseKey } from '../keys/signing-key.ts'
import type { Issuer } from './create-issuer.ts'
import type { Order } from './issue-sd-jwt.ts'
import { coseHeaders } from './signer.ts'
import { statusReference } from './status-lists.ts'
import { termOf } from './term.ts'

type MdocItem = {
  readonly namespace: string
  readonly element: string
  readonly digest_id: number
  /** IssuerSignedItemBytes, with its tag: what the digest is over. */
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
  { holding, holder_key, now, alter = unaltered }: Order<'mso_mdoc'>,
): MdocCredential {
  const signer = alter('signer', issuer.signers[holding.document])
  const items = itemsOf(holding.claims, (item) => alter('item', item))
  const term = termOf(holding.condition, now)
  const mso = textMap({
    version: '1.0',
    digestAlgorithm: 'SHA-256',
    valueDigests: valueDigests(items),
    deviceKeyInfo: textMap({ deviceKey: coseKey(holder_key) }),
    docType: holding.type,
    validityInfo: textMap({
      signed: dateTime(term.signed),
      validFrom: dateTime(term.from),
      validUntil: dateTime(term.until),
    }),
    status: textMap({ status_list: textMap(statusReference(issuer, holding)) }),
  })
  const payload = encodeCbor(embedded(encodeCbor(alter('mso', mso))))
  const draft = alter('issuer_cose', { ...coseHeaders(signer), payload })
  const issuerAuth = signCose(draft, signer.key)
  return { doctype: holding.type, items, issuer_auth: coseArray(alter('issuer_auth', issuerAuth)) }
}

type AlterItem = (item: Map<Cbor, Cbor>) => Map<Cbor, Cbor>

function itemsOf(claims: MdocClaims, alter: AlterItem): MdocItem[] {
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
  alter: AlterItem = (item) => item,
): Uint8Array {
  const item = textMap({
    digestID: digestId,
    random: randomBytes(32),
    elementIdentifier: element,
    elementValue: value,
  })
  return encodeCbor(embedded(encodeCbor(alter(item))))
}

function valueDigests(items: readonly MdocItem[]): Cbor {
  const byNamespace = new Map<Cbor, Map<Cbor, Cbor>>()
  for (const { namespace, digest_id, encoded } of items) {
    const digests = byNamespace.get(namespace) ?? new Map<Cbor, Cbor>()
    byNamespace.set(namespace, digests.set(digest_id, createHash('sha256').update(encoded).digest()))
  }
  return byNamespace
}
