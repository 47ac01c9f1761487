import { Refusal } from '../basics/refusal.ts'

// What is known of a key in a PKCS#11 token without using it. What uses one is in hsm/, and loaded only if a setting names one.

/** A key in a PKCS#11 token. */
export type HsmKey = {
  /** The label of the token, as RFC 7512 names it. */
  token: string
  object?: string
  /** CKA_ID in hexadecimal digits. */
  id?: string
}

/** Where the module is that reaches the token, and the file with the PIN. */
export type HsmModule = { module_path: string; pin_file: string }

/** The values of `type=` in RFC 7512. */
export type KeyKind = 'private' | 'secret-key'

type Read<Value> = { value: Value } | { problem: string }

const pathAttributes = ['token', 'object', 'id', 'type']
const queryAttributes = ['module-path', 'pin-source']

/** Reads the setting: a key with its module and PIN, such as `pkcs11:token=vidimus;object=access?module-path=/usr/lib/m.so&pin-source=file:/run/pin` (RFC 7512). */
export function readPkcs11Uri(text: string, kind: KeyKind = 'private'): Read<HsmKey & HsmModule> {
  const [reference = '', query = ''] = text.split('?', 2)
  const key = readHsmKey(reference, kind)
  if ('problem' in key) return key
  const read = readAttributes(query.split('&'), queryAttributes)
  if ('problem' in read) return read
  const { 'module-path': module_path, 'pin-source': source } = read.value
  const pin_file = source?.replace(/^file:(?:\/\/(?=\/))?/, '')
  if (module_path?.startsWith('/') !== true)
    return { problem: 'needs module-path=, the absolute path of the PKCS#11 module' }
  if (pin_file?.startsWith('/') !== true)
    return { problem: 'needs pin-source=file:, with the absolute path of a file that contains the PIN' }
  return { value: { ...key.value, module_path, pin_file } }
}

/** Reads the part without module and PIN, which is stored with a certificate. */
export function readHsmKey(text: string, kind: KeyKind = 'private'): Read<HsmKey> {
  if (!text.startsWith('pkcs11:')) return { problem: 'must begin with pkcs11:' }
  const read = readAttributes(text.slice('pkcs11:'.length).split(';'), pathAttributes)
  if ('problem' in read) return read
  const { token, object, type } = read.value
  const id = read.value['id'] && Buffer.from(read.value['id'], 'latin1').toString('hex')
  if (token === undefined) return { problem: 'needs token=, the label of the token' }
  if (object === undefined && id === undefined)
    return { problem: 'needs object= or id=, the label or the id of the key' }
  if (type !== undefined && type !== kind)
    return { problem: `must name a ${kind.replace('-key', '')} key: type=${kind}` }
  return { value: { token, ...(object !== undefined && { object }), ...(id !== undefined && { id }) } }
}

/** The stored form of a key, without the paths of module and PIN: whoever can write to the database must not choose what is loaded. */
export function writeHsmKey({ token, object, id }: HsmKey): string {
  const idText = id?.replaceAll(/../g, (byte) => `%${byte}`)
  return [
    `pkcs11:token=${encodeURIComponent(token)}`,
    ...(object === undefined ? [] : [`object=${encodeURIComponent(object)}`]),
    ...(idText === undefined ? [] : [`id=${idText}`]),
  ].join(';')
}

function readAttributes(
  parts: readonly string[],
  known: readonly string[],
): Read<Record<string, string | undefined>> {
  const read: Record<string, string> = {}
  for (const part of parts.filter((each) => each !== '')) {
    const [, name = '', value = ''] = /^([a-z-]+)=(.*)$/.exec(part) ?? []
    // The value may be a PIN, so it is never repeated.
    if (name === 'pin-value')
      return { problem: 'must not contain the PIN; name a file with pin-source=file:' }
    if (!known.includes(name))
      return { problem: `has an attribute that is not supported; use ${known.join(', ')}` }
    if (name in read) return { problem: `has ${name}= twice` }
    const decoded = decode(name, value)
    if (decoded === undefined || decoded === '') return { problem: `has a ${name}= that cannot be read` }
    read[name] = decoded
  }
  return { value: read }
}

/** An id is bytes, each of which becomes one character here; everything else is UTF-8. */
function decode(name: string, value: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(value)) return undefined
  if (name === 'id')
    return value.replaceAll(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  try {
    return decodeURIComponent(value)
  } catch {
    // Not UTF-8.
    return undefined
  }
}

const retryAfter_seconds = 2

/** The key cannot be reached now. The caller may try again; the log says why. */
export function signingUnavailable(): Refusal {
  return new Refusal(
    'overloaded',
    'Requests cannot be signed at the moment. Try again in a few seconds.',
    retryAfter_seconds,
  )
}

/** The token works, but the key that a signature needs is not in it or cannot sign ES256. To a wallet it is the same as no token. */
export class HsmKeyError extends Refusal {
  override name = 'HsmKeyError'
  readonly reason: string

  constructor(reason: string) {
    const { code, message } = signingUnavailable()
    super(code, message, retryAfter_seconds)
    this.reason = reason
  }
}
