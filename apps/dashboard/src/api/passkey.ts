import { ApiError } from './error.ts'

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
    throw new ApiError(explainPasskeyError(error), { status: 0, code: 'passkey' })
  }
  throw new ApiError('The browser returned no passkey.', { status: 0, code: 'passkey' })
}

function explainPasskeyError(error: unknown): string {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError') return 'The passkey prompt was cancelled or timed out. Try again.'
  if (name === 'InvalidStateError')
    return 'This device already has a passkey for your account. Sign in with it instead.'
  if (name === 'SecurityError')
    return 'Passkeys need HTTPS, or localhost, and the address that the service is configured with.'
  return `The browser could not use a passkey (${name === '' ? 'unknown error' : name}).`
}
