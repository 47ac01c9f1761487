import { verify, type X509Certificate } from 'node:crypto'
import { decodeCbor } from '../../cbor/decode.ts'
import { embedCbor, encodeCbor, type Cbor } from '../../cbor/encode.ts'
import { checkCertificate } from '../check-certificate.ts'
import { violationUnless, type Violation } from '../violation.ts'
import { isMapOf } from './read-base64url-cbor.ts'
import type { DeviceRequest, DocumentRequest } from './read-device-request.ts'

export type ReaderAuthInput = {
  session_transcript: readonly Cbor[]
  now: Date
  anchors: readonly Uint8Array[]
}

const place = 'ISO/IEC 18013-5 §9.1.4'

/** The COSE header label of the algorithm, ES256, and of the certificates (RFC 9053 §2.1, RFC 9360 §2). */
const algorithmLabel = 1
const es256 = -7
const certificatesLabel = 33

export type CheckedReader = { leaf?: X509Certificate | undefined; violations: Violation[] }

/** Checks the reader's signature over one document's request and this session, and its certificates. */
export function checkReaderAuth(
  { reader_auth, items_request }: DocumentRequest,
  input: ReaderAuthInput,
): CheckedReader {
  if (reader_auth === undefined) return { violations: [] }
  const signed = ['ReaderAuthentication', input.session_transcript, embedCbor(items_request)]
  return checkSignature(reader_auth, signed, input)
}

/** The same for signatures over the whole request. */
export function checkReaderAuthAll(
  { documents, info, reader_auth_all }: DeviceRequest,
  input: ReaderAuthInput,
): CheckedReader[] {
  const items = documents.map(({ items_request }) => embedCbor(items_request))
  const encodedInfo = info === undefined ? null : embedCbor(info)
  const signed = ['ReaderAuthenticationAll', input.session_transcript, items, encodedInfo]
  return reader_auth_all.map((signature) => checkSignature(signature, signed, input))
}

function checkSignature(
  reader_auth: Cbor,
  signed: readonly Cbor[],
  { now, anchors }: ReaderAuthInput,
): CheckedReader {
  const message = readSign1(reader_auth)
  if (message === undefined) {
    const text = 'readerAuth is not an ES256 signature with x5chain and a detached payload'
    return { violations: violationUnless(false, 'annex_c.reader_auth', place, text) }
  }
  const { protected_header, certificates, signature } = message
  const { leaf, violations } = checkCertificate({
    x5c: certificates.map((certificate) => Buffer.from(certificate).toString('base64')),
    now,
    anchors,
  })
  // ReaderAuthentication is signed but not sent.
  const payload = encodeCbor(embedCbor(encodeCbor(signed)))
  const input = encodeCbor(['Signature1', protected_header, new Uint8Array(0), payload])
  const isSigned =
    leaf?.publicKey.asymmetricKeyDetails?.namedCurve === 'prime256v1' &&
    verify('sha256', input, { key: leaf.publicKey, dsaEncoding: 'ieee-p1363' }, signature)
  return {
    leaf,
    violations: [
      ...violations,
      ...violationUnless(
        isSigned,
        'annex_c.reader_signature',
        place,
        'readerAuth was not signed with the leaf for this request, origin and encryption key',
      ),
    ],
  }
}

function readSign1(item: Cbor) {
  if (!Array.isArray(item) || item.length !== 4) return undefined
  const [protectedHeader, unprotectedHeader, payload, signature] = item as Cbor[]
  if (!(protectedHeader instanceof Uint8Array) || !(signature instanceof Uint8Array)) return undefined
  const header = decodeCbor(protectedHeader)
  if (!isMapOf(header, [algorithmLabel]) || header.get(algorithmLabel) !== es256) return undefined
  if (payload !== null || !isMapOf(unprotectedHeader, [certificatesLabel])) return undefined
  const chain = unprotectedHeader.get(certificatesLabel)
  const certificates: Cbor[] = Array.isArray(chain) ? chain : [chain ?? null]
  return certificates.every((each) => each instanceof Uint8Array)
    ? { protected_header: protectedHeader, certificates, signature }
    : undefined
}
