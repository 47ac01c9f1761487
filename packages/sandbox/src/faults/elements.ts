import { textMap, type Cbor } from '../cbor/encode.ts'
import { encodeItem } from '../issuer/issue-mdoc.ts'
import { flipBit } from './alteration-helpers.ts'
import { inMdoc, type Fault } from './fault.ts'

type Items = ReadonlyMap<string, readonly Uint8Array[]>

/** Faults in an mdoc's elements and its mobile security object (ISO/IEC 18013-5 §9.1.2). */
export const elementFaults: readonly Fault[] = [
  {
    name: 'element_tampered',
    description: 'the salt of an element is changed, so that its digest does not match',
    expect: inMdoc('element_digests'),
    alterations: {
      items: (original) =>
        changeFirstNamespace(original, ([first, ...rest]) => [flipRandomBit(first), ...rest]),
    },
  },
  {
    name: 'element_duplicated',
    description: 'an element occurs twice',
    expect: inMdoc('element_digests'),
    alterations: {
      items: (original) => changeFirstNamespace(original, (items) => [...items, ...items.slice(0, 1)]),
    },
  },
  {
    name: 'element_unsigned',
    description: 'an element was never signed by the issuer',
    expect: inMdoc('element_digests'),
    alterations: {
      items: (original) =>
        changeFirstNamespace(original, (items) => [...items, encodeItem(9999, 'role', 'administrator')]),
    },
  },
  {
    name: 'element_other_namespace',
    description: 'an element is in a different namespace from the one it was signed in',
    expect: inMdoc('element_digests'),
    alterations: {
      items: (original) => new Map([...original, ['vidimus.sandbox.other', [...original.values()].flat()]]),
    },
  },
  {
    name: 'mso_digest_algorithm',
    description: 'the digest algorithm is not accepted',
    expect: inMdoc('credential_encoding'),
    alterations: { mso: (original) => new Map([...original, ['digestAlgorithm', 'MD5']]) },
  },
  {
    name: 'mso_version',
    description: 'the version of the mobile security object is unknown',
    expect: inMdoc('credential_encoding'),
    alterations: { mso: (original) => new Map([...original, ['version', '2.0']]) },
  },
  {
    name: 'mso_device_key',
    description: 'the document is bound to a key of an unsupported type',
    expect: inMdoc('holder_key'),
    alterations: { mso: (original) => withDeviceKey(original, new Map<Cbor, Cbor>([[1, 3]])) },
  },
]

function changeFirstNamespace(
  items: Items,
  change: (items: readonly Uint8Array[]) => readonly Uint8Array[],
): Items {
  const [first, ...rest] = items
  return first === undefined ? items : new Map([[first[0], change(first[1])], ...rest])
}

/** The 32 random bytes of an item begin at byte 24, 25 or 26, depending on the lengths of the item and its digest id. */
function flipRandomBit(item: Uint8Array = new Uint8Array(0)): Uint8Array {
  return Buffer.concat([item.subarray(0, 30), flipBit(item.subarray(30, 31)), item.subarray(31)])
}

function withDeviceKey(mso: Map<Cbor, Cbor>, deviceKey: Cbor): Map<Cbor, Cbor> {
  return new Map([...mso, ['deviceKeyInfo', textMap({ deviceKey })]])
}
