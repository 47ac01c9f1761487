import pkcs11 from 'pkcs11js'

export type AesKeyAttributes = {
  bytes?: 16 | 32
  extractable?: boolean
  sensitive?: boolean
  encrypts?: boolean
}

type NewAesKey = AesKeyAttributes & { module_path: string; token: string; pin: string; object: string }

// A program: a process that loads SoftHSM keeps the configuration that it found first. Its argument is a NewAesKey as JSON.

const {
  module_path,
  token,
  pin,
  object,
  bytes = 32,
  extractable = false,
  sensitive = true,
  encrypts = true,
}: NewAesKey = JSON.parse(process.argv[2] ?? '{}')
const module = new pkcs11.PKCS11()
module.load(module_path)
module.C_Initialize()
const slot = module.C_GetSlotList(true).find((each) => module.C_GetTokenInfo(each).label.trim() === token)
if (slot === undefined) throw new Error(`no token ${token}`)
const verification = module.C_OpenSession(slot, pkcs11.CKF_SERIAL_SESSION | pkcs11.CKF_RW_SESSION)
module.C_Login(verification, 1, pin)
module.C_GenerateKey(verification, { mechanism: pkcs11.CKM_AES_KEY_GEN }, [
  { type: pkcs11.CKA_CLASS, value: pkcs11.CKO_SECRET_KEY },
  { type: pkcs11.CKA_KEY_TYPE, value: pkcs11.CKK_AES },
  { type: pkcs11.CKA_TOKEN, value: true },
  { type: pkcs11.CKA_PRIVATE, value: true },
  { type: pkcs11.CKA_LABEL, value: object },
  { type: pkcs11.CKA_VALUE_LEN, value: bytes },
  { type: pkcs11.CKA_ENCRYPT, value: encrypts },
  { type: pkcs11.CKA_DECRYPT, value: encrypts },
  { type: pkcs11.CKA_SENSITIVE, value: sensitive },
  { type: pkcs11.CKA_EXTRACTABLE, value: extractable },
])
module.C_Finalize()
