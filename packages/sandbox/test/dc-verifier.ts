import { Aes128Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import { createHash, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import { compactDecrypt, SignJWT } from 'jose'
import { decodeCbor } from '../src/cbor/decode.ts'
import { embedCbor, encodeCbor, textMap, type Cbor } from '../src/cbor/encode.ts'
import { signCose, toCoseArray } from '../src/keys/sign-cose.ts'
import { clientMetadata, createAccessIdentity } from './access-identity.ts'

export type DcVerifierOptions = {
  query: unknown
  /** The documents and elements of the DeviceRequest. */
  documents?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  now: Date
  /** Whether the DeviceRequest has a `readerAuth`. */
  reader?: boolean
  alterations?: {
    header?: Record<string, unknown>
    claims?: Record<string, unknown>
    /** Members of the DeviceRequest, of every docRequest, of every ItemsRequest and of EncryptionInfo. */
    device_request?: Record<string, Cbor>
    doc_request?: Record<string, Cbor>
    items_request?: Record<string, Cbor>
    encryption_info?: Record<string, Cbor>
    /** The origin that `readerAuth` signs. */
    reader_origin?: string
  }
}

export const origin = 'https://shop.example'

/** A minimal verifier for the Digital Credentials API: the requests for the page, valid or altered, and the opened responses. */
export async function createDcVerifier({
  query,
  documents = { 'org.iso.18013.5.1.mDL': { 'org.iso.18013.5.1': ['given_name'] } },
  now,
  reader = false,
  alterations = {},
}: DcVerifierOptions) {
  const identity = createAccessIdentity(now)
  const keyPair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = keyPair.publicKey.export({ format: 'jwk' })
  const seconds = Math.floor(now.getTime() / 1000)
  const request = await new SignJWT({
    client_id: identity.client_ids.x509_hash,
    response_type: 'vp_token',
    response_mode: 'dc_api.jwt',
    expected_origins: [origin],
    aud: 'https://self-issued.me/v2',
    nonce: randomBytes(32).toString('base64url'),
    iat: seconds,
    exp: seconds + 300,
    dcql_query: query,
    client_metadata: {
      jwks: { keys: [{ kty: 'EC', crv: 'P-256', x, y, kid: 'one', use: 'enc', alg: 'ECDH-ES' }] },
      ...clientMetadata,
    },
    ...alterations.claims,
  })
    .setProtectedHeader({
      alg: 'ES256',
      typ: 'oauth-authz-req+jwt',
      x5c: identity.x5c,
      ...alterations.header,
    })
    .sign(identity.key.private_key)

  const recipientPublicKey = new Map<Cbor, Cbor>([
    [1, 2],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ])
  const encryptionInfo = toText([
    'dcapi',
    textMap({ nonce: randomBytes(16), recipientPublicKey, ...alterations.encryption_info }),
  ])
  const docRequests = Object.entries(documents).map(([docType, namespaces]) => {
    const nameSpaces = textMap(
      Object.fromEntries(
        Object.entries(namespaces).map(([namespace, elements]) => [
          namespace,
          textMap(Object.fromEntries(elements.map((element) => [element, false]))),
        ]),
      ),
    )
    const items = encodeCbor(textMap({ docType, nameSpaces, ...alterations.items_request }))
    const transcript = transcriptFor(encryptionInfo, alterations.reader_origin ?? origin)
    return textMap({
      itemsRequest: embedCbor(items),
      readerAuth: reader ? signReaderAuth(identity, transcript, items) : undefined,
      ...alterations.doc_request,
    })
  })
  const deviceRequest = toText(textMap({ version: '1.0', docRequests, ...alterations.device_request }))

  return {
    root: identity.root,
    requests: [
      { protocol: 'openid4vp-v1-signed', data: { request } },
      { protocol: 'org-iso-mdoc', data: { deviceRequest, encryptionInfo } },
    ],
    openJwe: (response: string) => openJwe(response, keyPair.privateKey),
    /** The DeviceResponse in an annex C response. */
    async openAnnexC(response: string): Promise<Cbor | undefined> {
      const [name, members] = decodeCbor(Buffer.from(response, 'base64url')) as [string, Map<string, Buffer>]
      if (name !== 'dcapi') throw new Error(`expected dcapi, got ${name}`)
      const [enc, ciphertext] = [members.get('enc'), members.get('cipherText')]
      if (enc === undefined || ciphertext === undefined) throw new Error('enc or cipherText is missing')
      const info = encodeCbor(transcriptFor(encryptionInfo, origin))
      return decodeCbor(await openHpke({ enc, ciphertext, private_key: keyPair.privateKey, info }))
    },
  }
}

async function openJwe(response: string, privateKey: KeyObject): Promise<unknown> {
  const { plaintext } = await compactDecrypt(response, privateKey)
  return JSON.parse(Buffer.from(plaintext).toString())
}

type HpkeMessage = { enc: Uint8Array; ciphertext: Uint8Array; private_key: KeyObject; info: Uint8Array }

/** With a library, so that the wallet's own encryption is not tested with itself. Throws if it was sealed for something else. */
async function openHpke({ enc, ciphertext, private_key, info }: HpkeMessage): Promise<Buffer> {
  const suite = new CipherSuite({
    kem: new DhkemP256HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes128Gcm(),
  })
  const recipientKey = await suite.kem.importKey('jwk', private_key.export({ format: 'jwk' }), false)
  return Buffer.from(await suite.open({ recipientKey, enc, info }, ciphertext))
}

function transcriptFor(encryptionInfo: string, forOrigin: string): Cbor[] {
  const info = encodeCbor([encryptionInfo, forOrigin])
  return [null, null, ['dcapi', createHash('sha256').update(info).digest()]]
}

/** ISO/IEC 18013-5 §9.1.4. */
function signReaderAuth(
  { key, leaf }: ReturnType<typeof createAccessIdentity>,
  transcript: Cbor[],
  items: Uint8Array,
): Cbor {
  const payload = encodeCbor(embedCbor(encodeCbor(['ReaderAuthentication', transcript, embedCbor(items)])))
  const draft = {
    protected_header: new Map([[1, -7]]),
    unprotected_header: new Map<Cbor, Cbor>([[33, leaf]]),
    payload: null,
  }
  return toCoseArray(signCose(draft, key, payload))
}

function toText(item: Cbor): string {
  return Buffer.from(encodeCbor(item)).toString('base64url')
}
