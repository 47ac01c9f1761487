import { randomBytes } from 'node:crypto'
import { type HsmWork, errorName } from './hsm-messages.ts'
import type { Handle, HsmSession } from './find-key.ts'

type Encrypt = Extract<HsmWork, { kind: 'encrypt' }>
type Decrypt = Extract<HsmWork, { kind: 'decrypt' }>

/** The bytes, or why the token cannot do this with any key, or that another key has encrypted them. Anything else is an error of the token. */
export type KeyUse = { bytes: Buffer } | { unfit: string } | 'not decrypted'

const tag_bytes = 16
const signature_bytes = 64

export async function useKey(at: HsmSession, key: Handle, work: HsmWork): Promise<KeyUse> {
  switch (work.kind) {
    case 'sign':
      at.module.C_SignInit(at.session, { mechanism: at.pkcs11.CKM_ECDSA }, key)
      return {
        bytes: await at.module.C_SignAsync(
          at.session,
          Buffer.from(work.digest),
          Buffer.alloc(signature_bytes),
        ),
      }
    case 'encrypt':
      return encryptAndCheck(at, key, work)
    case 'decrypt':
      return decryptOrTell(at, key, work)
  }
}

/** Some devices ignore the nonce and choose their own, so that nobody could decrypt the result: it is decrypted before anything is stored. */
async function encryptAndCheck(at: HsmSession, key: Handle, work: Encrypt): Promise<KeyUse> {
  const { plain, nonce, bound } = work
  let encrypted: Buffer
  try {
    encrypted = await encrypt(at, key, work)
  } catch (error) {
    const name = errorName(error)
    if (/^CKR_(?:MECHANISM_INVALID|MECHANISM_PARAM_INVALID|FUNCTION_NOT_SUPPORTED)$/.test(name))
      return { unfit: `the token does not encrypt with AES-GCM and a given nonce (${name})` }
    throw error
  }
  const again =
    encrypted.length === plain.length + tag_bytes
      ? await tryDecrypt(at, key, { kind: 'decrypt', encrypted, nonce, bound })
      : undefined
  return again?.equals(plain) === true
    ? { bytes: encrypted }
    : { unfit: 'the token does not decrypt what it has encrypted: it may choose its own nonces' }
}

/** Modules have different errors for a wrong tag, and use them for other failures too. A token that still works with this key is in order. */
async function decryptOrTell(at: HsmSession, key: Handle, work: Decrypt): Promise<KeyUse> {
  try {
    return { bytes: await decrypt(at, key, work) }
  } catch (error) {
    const test = { plain: randomBytes(32), nonce: randomBytes(12), bound: work.bound }
    const tested = await encryptAndCheck(at, key, { kind: 'encrypt', ...test }).catch(() => undefined)
    if (tested === undefined) throw error
    return typeof tested === 'object' && 'bytes' in tested ? 'not decrypted' : tested
  }
}

async function tryDecrypt(at: HsmSession, key: Handle, work: Decrypt): Promise<Buffer | undefined> {
  try {
    return await decrypt(at, key, work)
  } catch {
    // With another nonce the tag does not match, which each module reports in its own way.
    return undefined
  }
}

function encrypt(at: HsmSession, key: Handle, { plain, ...how }: Encrypt): Promise<Buffer> {
  at.module.C_EncryptInit(at.session, mechanism(at, how), key)
  return at.module.C_EncryptAsync(at.session, Buffer.from(plain), Buffer.alloc(plain.length + tag_bytes))
}

function decrypt(at: HsmSession, key: Handle, { encrypted, ...how }: Decrypt): Promise<Buffer> {
  at.module.C_DecryptInit(at.session, mechanism(at, how), key)
  return at.module.C_DecryptAsync(at.session, Buffer.from(encrypted), Buffer.alloc(encrypted.length))
}

function mechanism({ pkcs11 }: HsmSession, { nonce, bound }: Pick<Encrypt, 'nonce' | 'bound'>) {
  return {
    mechanism: pkcs11.CKM_AES_GCM,
    parameter: {
      type: pkcs11.CK_PARAMS_AES_GCM_v240,
      iv: Buffer.from(nonce),
      ivBits: nonce.length * 8,
      aad: Buffer.from(bound),
      tagBits: tag_bytes * 8,
    },
  }
}
