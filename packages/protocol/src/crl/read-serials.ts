import { InputError } from '../input-error.ts'
import { derTags, readDer, readOid } from '../x509/read-der.ts'

/** Where an element is: its tag, and where its content starts and ends. */
type Span = { tag: number; start: number; end: number }

/** Extensions of an entry that may be critical and change nothing: the reason, and since when the key was no longer safe. */
const knownOids: ReadonlySet<string> = new Set(['2.5.29.21', '2.5.29.24'])

/**
 * The serial numbers of the revoked certificates, those on hold included (RFC 5280 §5.3.1), in the form of `toSerialKey`. A list may
 * have a hundred thousand entries, so this reads them in place: an object for each element takes ten times as long. Throws an InputError.
 */
export function readRevokedSerials(entries: Buffer): Set<string> {
  const serials = new Set<string>()
  const entry: Span = { tag: 0, start: 0, end: 0 }
  const member: Span = { tag: 0, start: 0, end: 0 }
  for (let at = 0; at < entries.length; at = entry.end) {
    readSpan(entries, at, entries.length, entry)
    expectTag(entry, derTags.sequence)
    readSpan(entries, entry.start, entry.end, member)
    expectTag(member, derTags.integer)
    serials.add(trimZeros(entries, member))
    // The date of the revocation does not matter.
    readSpan(entries, member.end, entry.end, member)
    if (member.end < entry.end) {
      readSpan(entries, member.end, entry.end, member)
      expectKnownExtensions(entries, member)
    }
  }
  return serials
}

/** A serial number, hexadecimal, as a member of the set. */
export function toSerialKey(serial: string): string {
  return Buffer.from(serial, 'hex').toString('latin1')
}

/** RFC 5280 §5.3. Among the critical ones is the one that names another issuer, in an indirect list. */
function expectKnownExtensions(bytes: Buffer, extensions: Span): void {
  expectTag(extensions, derTags.sequence)
  const extension: Span = { tag: 0, start: 0, end: 0 }
  const member: Span = { tag: 0, start: 0, end: 0 }
  for (let at = extensions.start; at < extensions.end; at = extension.end) {
    readSpan(bytes, at, extensions.end, extension)
    readSpan(bytes, extension.start, extension.end, member)
    const type = bytes.subarray(extension.start, member.end)
    readSpan(bytes, member.end, extension.end, member)
    if (member.tag !== derTags.boolean) continue
    const oid = readOid(readDer(type, derTags.oid))
    if (!knownOids.has(oid))
      throw new InputError(`an entry of the revocation list has an unknown critical extension: ${oid}`)
  }
}

/** Reads the head of the element at `at`, which must end by `limit`. */
function readSpan(bytes: Buffer, at: number, limit: number, span: Span): void {
  const tag = bytes[at]
  const first = bytes[at + 1]
  if (tag === undefined || first === undefined || at + 2 > limit) throw notDer()
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  const start = at + 2 + lengthBytes
  if (first === 0x80 || lengthBytes > 3 || start > limit) throw notDer()
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes)
  if (start + length > limit) throw notDer()
  span.tag = tag
  span.start = start
  span.end = start + length
}

function expectTag(span: Span, tag: number): void {
  if (span.tag !== tag) throw notDer()
}

function trimZeros(bytes: Buffer, { start, end }: Span): string {
  let from = start
  while (from < end - 1 && bytes[from] === 0) from += 1
  return bytes.toString('latin1', from, end)
}

function notDer(): InputError {
  return new InputError('an entry of the revocation list is not DER')
}
