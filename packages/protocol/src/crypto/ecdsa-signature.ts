/**
 * An ECDSA signature has two forms: r and s in full length one after the other, as JOSE and COSE have it (RFC 7518 §3.4,
 * RFC 9053 §2.1), and DER (RFC 3279 §2.2.3), as OpenSSL has it. `node:crypto` converts as well, but not for a bare key
 * object: given an object with options it finds out what that is by errors that it catches, and those take longer than
 * signing does.
 */
const integerTag = 0x02
const sequenceTag = 0x30
/** What does not fit into seven bits is preceded by how many bytes it takes; one is enough for every curve here. */
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

/** Of what OpenSSL has made itself; a stranger's DER is never read here. `bytes` is the length of the whole signature. */
export function fromDerSignature(der: Uint8Array, signature_bytes: number): Buffer {
  const signature = Buffer.alloc(signature_bytes)
  let start = der[1] === longFormLength ? 3 : 2
  for (const end of [signature_bytes / 2, signature_bytes]) {
    const length = der[start + 1] ?? 0
    const digits = der.subarray(start + 2, start + 2 + length)
    // A zero stands before a number whose first bit is set.
    const number = digits.subarray(Math.max(0, length - signature_bytes / 2))
    signature.set(number, end - number.length)
    start += 2 + length
  }
  return signature
}

/** Positive, in as few bytes as it takes. */
function derInteger(number: Uint8Array): Buffer {
  let start = 0
  while (start < number.length - 1 && number[start] === 0) start += 1
  const digits = number.subarray(start)
  const sign = (digits[0] ?? 0) < 0x80 ? [] : [0]
  return Buffer.concat([Buffer.from([integerTag, sign.length + digits.length, ...sign]), digits])
}
