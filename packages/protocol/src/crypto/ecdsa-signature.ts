/**
 * An ECDSA signature has two encodings: r and s concatenated at full length, in JOSE and COSE (RFC 7518 §3.4, RFC 9053
 * §2.1), and DER (RFC 3279 §2.2.3), in OpenSSL. `node:crypto` can convert between them, but only if the key is passed in an
 * object with options, whose type it detects by catching errors; that takes longer than signing.
 */
const integerTag = 0x02
const sequenceTag = 0x30
/** Precedes a length of 128 to 255. No signature on a supported curve is longer. */
const longFormLength = 0x81

export function toDerSignature(signature: Uint8Array): Buffer {
  const half = signature.length / 2
  const numbers = Buffer.concat([
    derInteger(signature.subarray(0, half)),
    derInteger(signature.subarray(half)),
  ])
  const head =
    numbers.length < 0x80 ? [sequenceTag, numbers.length] : [sequenceTag, longFormLength, numbers.length]
  return Buffer.concat([Buffer.from(head), numbers])
}

/** Only for signatures that OpenSSL made here, never for untrusted DER. `signature_bytes` is the length of r and s together. */
export function fromDerSignature(der: Uint8Array, signature_bytes: number): Buffer {
  const signature = Buffer.alloc(signature_bytes)
  let start = der[1] === longFormLength ? 3 : 2
  for (const end of [signature_bytes / 2, signature_bytes]) {
    const length = der[start + 1] ?? 0
    const digits = der.subarray(start + 2, start + 2 + length)
    // DER prepends a zero to a number whose first bit is set.
    const number = digits.subarray(Math.max(0, length - signature_bytes / 2))
    signature.set(number, end - number.length)
    start += 2 + length
  }
  return signature
}

/** A positive integer in the fewest bytes. */
function derInteger(number: Uint8Array): Buffer {
  let start = 0
  while (start < number.length - 1 && number[start] === 0) start += 1
  const digits = number.subarray(start)
  const sign = (digits[0] ?? 0) < 0x80 ? [] : [0]
  return Buffer.concat([Buffer.from([integerTag, sign.length + digits.length, ...sign]), digits])
}
