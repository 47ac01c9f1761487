import { ApiError } from './error.ts'

type Json = Record<string, unknown>

/** Asks the browser for a new passkey. The forms are WebAuthn's own JSON, which browsers read and write themselves. */
export async function createPasskey(options: Json): Promise<Json> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  return credentialToJson(() => navigator.credentials.create({ publicKey }))
}

/** Asks the browser to sign in with a passkey that it, or a phone nearby, holds. */
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
  throw new ApiError('The browser gave no passkey.', { status: 0, code: 'passkey' })
}

function explainPasskeyError(error: unknown): string {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError') return 'No passkey was used: it was cancelled, or took too long. Try again.'
  if (name === 'InvalidStateError')
    return 'This device already has a passkey for you. Sign in with it instead.'
  if (name === 'SecurityError')
    return 'Passkeys work only over https, or on localhost, at the address that the service knows as its own.'
  return `The browser could not use a passkey (${name === '' ? 'unknown reason' : name}).`
}
