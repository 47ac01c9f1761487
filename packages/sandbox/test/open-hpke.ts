import { createDecipheriv, createHmac, createPublicKey, diffieHellman, type KeyObject } from 'node:crypto'

/** Opens what was sealed with HPKE, base mode (RFC 9180 §6.1). Throws if it was sealed for something else. */
export function openHpke(input: {
  enc: Uint8Array
  ciphertext: Uint8Array
  private_key: KeyObject
  info: Uint8Array
}): Buffer {
  const enc = Buffer.from(input.enc)
  const dh = diffieHellman({ privateKey: input.private_key, publicKey: fromPoint(enc) })
  const kem = Buffer.from('4b454d0010', 'hex')
  const hpke = Buffer.from('48504b45001000010001', 'hex')
  const none = Buffer.alloc(0)
  const shared = expand(kem, 'shared_secret', {
    secret: extract(kem, none, ['eae_prk', dh]),
    info: Buffer.concat([enc, toPoint(input.private_key)]),
    length: 32,
  })
  const info = Buffer.concat([
    Buffer.of(0),
    extract(hpke, none, ['psk_id_hash', none]),
    extract(hpke, none, ['info_hash', input.info]),
  ])
  const secret = extract(hpke, shared, ['secret', none])
  const key = expand(hpke, 'key', { secret, info, length: 16 })
  const nonce = expand(hpke, 'base_nonce', { secret, info, length: 12 })
  const sealed = Buffer.from(input.ciphertext)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
}

function extract(suite: Buffer, salt: Buffer, [label, input]: [string, Uint8Array]): Buffer {
  const labeled = Buffer.concat([Buffer.from('HPKE-v1'), suite, Buffer.from(label), input])
  return createHmac('sha256', salt).update(labeled).digest()
}

function expand(
  suite: Buffer,
  label: string,
  { secret, info, length }: { secret: Buffer; info: Buffer; length: number },
): Buffer {
  const size = Buffer.of(0, length)
  const labeled = Buffer.concat([size, Buffer.from('HPKE-v1'), suite, Buffer.from(label), info, Buffer.of(1)])
  return createHmac('sha256', secret).update(labeled).digest().subarray(0, length)
}

function fromPoint(point: Buffer): KeyObject {
  const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map((half) =>
    half.toString('base64url'),
  )
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
}

function toPoint(privateKey: KeyObject): Buffer {
  const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}
