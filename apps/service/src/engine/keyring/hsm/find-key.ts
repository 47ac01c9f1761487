import type * as Pkcs11 from 'pkcs11js'
import type { PKCS11 } from 'pkcs11js'
import { type HsmWork, type WorkMessage, errorName } from './hsm-messages.ts'

export type Addon = typeof Pkcs11
export type Handle = Parameters<PKCS11['C_SignInit']>[2]
export type HsmSession = { pkcs11: Addon; module: PKCS11; session: Handle }

const p256 = '06082a8648ce3d030107'
const aes256_bytes = 32

/** A key that is fit for the work, or why there is none. */
export function findKey(at: HsmSession, { key, work }: WorkMessage): Handle | string {
  const name = [key.object, key.id].filter((each) => each !== undefined).join(', id ')
  const kind = work.kind === 'sign' ? 'private' : 'secret'
  try {
    const found = findObjects(at, key, work.kind)
    const [handle] = found
    if (handle === undefined) return `the token has no ${kind} key ${name}`
    if (found.length > 1) return `the token has more than one ${kind} key ${name}`
    const problem = work.kind === 'sign' ? checkSigningKey(at, handle) : checkWrappingKey(at, handle)
    return problem === undefined ? handle : `the key ${name} ${problem}`
  } catch (error) {
    return `the key ${name} cannot be read (${errorName(error)})`
  }
}

function findObjects(
  { pkcs11, module, session }: HsmSession,
  { object, id }: WorkMessage['key'],
  kind: HsmWork['kind'],
): Handle[] {
  module.C_FindObjectsInit(session, [
    { type: pkcs11.CKA_CLASS, value: kind === 'sign' ? pkcs11.CKO_PRIVATE_KEY : pkcs11.CKO_SECRET_KEY },
    ...(object === undefined ? [] : [{ type: pkcs11.CKA_LABEL, value: object }]),
    ...(id === undefined ? [] : [{ type: pkcs11.CKA_ID, value: Buffer.from(id, 'hex') }]),
  ])
  const found = module.C_FindObjects(session, 2)
  module.C_FindObjectsFinal(session)
  return found
}

function checkSigningKey(at: HsmSession, key: Handle): string | undefined {
  // An RSA key has no curve.
  const params = readAttribute(at, key, at.pkcs11.CKA_EC_PARAMS)
  return params?.toString('hex') === p256 ? undefined : 'is not on the curve P-256'
}

/** A key that wraps others is worth only as much as it is certain to stay where it is. */
function checkWrappingKey(at: HsmSession, key: Handle): string | undefined {
  const { pkcs11 } = at
  const isAes256 =
    readNumber(at, key, pkcs11.CKA_KEY_TYPE) === pkcs11.CKK_AES &&
    readNumber(at, key, pkcs11.CKA_VALUE_LEN) === aes256_bytes
  if (!isAes256) return 'is not an AES key of 256 bits'
  if (readNumber(at, key, pkcs11.CKA_EXTRACTABLE) !== 0 || readNumber(at, key, pkcs11.CKA_SENSITIVE) !== 1)
    return 'could leave the token; create one with CKA_EXTRACTABLE false and CKA_SENSITIVE true'
  if (readNumber(at, key, pkcs11.CKA_ENCRYPT) !== 1 || readNumber(at, key, pkcs11.CKA_DECRYPT) !== 1)
    return 'must allow CKA_ENCRYPT and CKA_DECRYPT'
  return undefined
}

/** A number or a boolean, in the byte order of this machine. */
function readNumber(at: HsmSession, key: Handle, type: number): number | undefined {
  const value = readAttribute(at, key, type)
  return value === undefined || value.length === 0
    ? undefined
    : value.readUIntLE(0, Math.min(value.length, 6))
}

/** Undefined if keys of this kind have no such attribute. */
function readAttribute({ module, session }: HsmSession, key: Handle, type: number): Buffer | undefined {
  try {
    const value = module.C_GetAttributeValue(session, key, [{ type }])[0]?.value
    return Buffer.isBuffer(value) ? value : undefined
  } catch (error) {
    if (errorName(error) === 'CKR_ATTRIBUTE_TYPE_INVALID') return undefined
    throw error
  }
}
