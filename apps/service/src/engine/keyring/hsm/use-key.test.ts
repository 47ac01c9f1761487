import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { HsmSession } from './find-key.ts'
import { useKey } from './use-key.ts'

type Params = { parameter: { iv: Buffer; aad: Buffer } }

/** A device that only has AES-GCM. `chooseNonce` decides which nonce it encrypts with, and `broken` that it fails. */
function openDevice({
  chooseNonce = (given: Buffer) => given,
  broken = (): boolean => false,
} = {}): HsmSession {
  const key = Buffer.alloc(32, 5)
  let params: Params['parameter'] | undefined
  const init = (_session: unknown, mechanism: Params) => (params = mechanism.parameter)
  const module = {
    C_EncryptInit: init,
    C_DecryptInit: init,
    async C_EncryptAsync(_session: unknown, plain: Buffer) {
      if (params === undefined || broken()) throw new Error('CKR_DEVICE_ERROR')
      const cipher = createCipheriv('aes-256-gcm', key, chooseNonce(params.iv)).setAAD(params.aad)
      return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    async C_DecryptAsync(_session: unknown, encrypted: Buffer) {
      if (params === undefined || broken()) throw new Error('CKR_DEVICE_ERROR')
      const decipher = createDecipheriv('aes-256-gcm', key, params.iv).setAAD(params.aad)
      decipher.setAuthTag(encrypted.subarray(-16))
      return Buffer.concat([decipher.update(encrypted.subarray(0, -16)), decipher.final()])
    },
  }
  return { pkcs11: {}, module, session: Buffer.alloc(8) } as unknown as HsmSession // only what is used
}

const handle = Buffer.alloc(8)
const bound = Buffer.from('a place in the ring')

test('a device that does not use the given nonce is refused before anything is stored', async () => {
  const work = { kind: 'encrypt', plain: randomBytes(32), nonce: randomBytes(12), bound } as const
  expect(await useKey(openDevice(), handle, work)).toEqual({ bytes: expect.any(Buffer) })
  expect(await useKey(openDevice({ chooseNonce: () => randomBytes(12) }), handle, work)).toEqual({
    unfit: 'the token does not decrypt what it has encrypted: it may choose its own nonces',
  })
})

test('what another key encrypted is told apart from a device that fails', async () => {
  const device = openDevice()
  const [plain, nonce] = [randomBytes(32), randomBytes(12)]
  const used = await useKey(device, handle, { kind: 'encrypt', plain, nonce, bound })
  const encrypted = typeof used === 'object' && 'bytes' in used ? used.bytes : Buffer.alloc(0)
  const decrypt = { kind: 'decrypt', encrypted, nonce, bound } as const

  expect(await useKey(device, handle, decrypt)).toEqual({ bytes: plain })
  expect(await useKey(device, handle, { ...decrypt, bound: Buffer.from('another place') })).toBe(
    'not decrypted',
  )
  await expect(useKey(openDevice({ broken: () => true }), handle, decrypt)).rejects.toThrow(
    'CKR_DEVICE_ERROR',
  )
})
