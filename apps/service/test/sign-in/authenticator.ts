import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

/** A software passkey with real keys and signatures, whose responses can be made invalid in every respect. */
export type Authenticator = {
  id: string
  /** The result of `navigator.credentials.create` for these options. */
  create(options: Options, overrides?: ResponseOverrides): Record<string, unknown>
  /** The result of `navigator.credentials.get` for these options. */
  get(options: Options, overrides?: ResponseOverrides): Record<string, unknown>
}

type Options = { challenge: string; rp?: { id?: string }; rpId?: string }

export type ResponseOverrides = {
  origin?: string
  type?: string
  rpId?: string
  challenge?: string
  /** Whether the user was verified by PIN or biometrics. */
  verified?: boolean
  counter?: number
  /** Signs with a different key. */
  otherKey?: true
  attestation?: { fmt: string; attStmt: Uint8Array }
}

const present = 0x01
const verified = 0x04
const attested = 0x40

export function softwareAuthenticator(origin: string): Authenticator {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  const id = credentialId.toString('base64url')
  let counter = 0

  const authenticatorData = (rpId: string, flags: number, count: number) =>
    Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), uint32(count)])
  const flagsFor = (overrides: ResponseOverrides) => present | (overrides.verified === false ? 0 : verified)
  const clientData = (type: string, options: Options, overrides: ResponseOverrides) =>
    Buffer.from(
      JSON.stringify({
        type: overrides.type ?? type,
        challenge: overrides.challenge ?? options.challenge,
        origin: overrides.origin ?? origin,
        crossOrigin: false,
      }),
    )

  return {
    id,
    create(options, overrides = {}) {
      const { x = '', y = '' } = own.publicKey.export({ format: 'jwk' })
      const cose = cborMap([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const authData = Buffer.concat([
        authenticatorData(
          overrides.rpId ?? options.rp?.id ?? '',
          flagsFor(overrides) | attested,
          overrides.counter ?? counter,
        ),
        Buffer.alloc(16),
        Buffer.from([0, credentialId.length]),
        credentialId,
        cose,
      ])
      const { fmt, attStmt } = overrides.attestation ?? { fmt: 'none', attStmt: cborMap([]) }
      const attestationObject = cborMap([
        ['fmt', fmt],
        ['attStmt', { cbor: attStmt }],
        ['authData', authData],
      ])
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData('webauthn.create', options, overrides).toString('base64url'),
          attestationObject: attestationObject.toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    get(options, overrides = {}) {
      counter += 1
      const authData = authenticatorData(
        overrides.rpId ?? options.rpId ?? '',
        flagsFor(overrides),
        overrides.counter ?? counter,
      )
      const client = clientData('webauthn.get', options, overrides)
      const signature = createSign('sha256')
        .update(authData)
        .update(createHash('sha256').update(client).digest())
        .sign((overrides.otherKey === true ? other : own).privateKey)
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      }
    },
  }
}

type Cbor = number | string | Uint8Array | { cbor: Uint8Array }

/** The part of CBOR that a passkey needs. */
export function cborMap(entries: [number | string, Cbor][]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat().map(cborEncode)])
}

function cborEncode(value: Cbor): Uint8Array {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (typeof value === 'string')
    return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if ('cbor' in value) return value.cbor
  return Buffer.concat([cborHead(2, value.length), value])
}

function cborHead(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
