import { dateTime, embedCbor, encodeCbor as encode, textMap, type Cbor } from '@vidimus/sandbox'

/** CBOR for tests. The sandbox's encoder writes it, because that shares no code with the verifier: a misreading of the standard would show. */
export type CborValue = Cbor

export function encodeCbor(value: CborValue): Buffer {
  return Buffer.from(encode(value))
}

export function cborMap(members: Record<string, CborValue>): Map<CborValue, CborValue> {
  return textMap(members)
}

/** Tag 24 around the encoding of a value. */
export function wrapInTag24(value: CborValue): CborValue {
  return embedCbor(encode(value))
}

export function cborDate(seconds: number): CborValue {
  return dateTime(new Date(seconds * 1000))
}
