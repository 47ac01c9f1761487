import { LocalError } from './error.ts'

type Json = Record<string, unknown>

/** Creates a passkey. Input and output are WebAuthn's own JSON (Level 3, §5.1), which browsers parse and serialise. */
export async function createPasskey(options: Json): Promise<Json> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  return credentialToJson(() => navigator.credentials.create({ publicKey }))
}

/** Signs the service's challenge with a passkey of this device, or of a phone nearby. */
export async function signWithPasskey(options: Json): Promise<Json> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  return credentialToJson(() => navigator.credentials.get({ publicKey }))
}

async function credentialToJson(requestCredential: () => Promise<Credential | null>): Promise<Json> {
  try {
    const credential = await requestCredential()
    if (credential instanceof PublicKeyCredential) return { ...credential.toJSON() }
  } catch (error) {
    throw toLocalError(error)
  }
  throw new LocalError('passkey_missing')
}

function toLocalError(error: unknown): LocalError {
  const name = error instanceof DOMException ? error.name : 'Error'
  if (name === 'NotAllowedError') return new LocalError('passkey_cancelled')
  if (name === 'InvalidStateError') return new LocalError('passkey_exists')
  if (name === 'SecurityError') return new LocalError('passkey_insecure')
  return new LocalError('passkey_failed', { name })
}
