export type Hashing = { mac(use: string, ...parts: (string | Uint8Array)[]): Buffer }

/** A verification id is a capability, so the log has only its keyed hash (GEN-9). */
export function hashForLog(keyring: Hashing, verification_id: string): string {
  return keyring.mac('session in logs', verification_id).toString('base64url', 0, 16)
}

/** What the ids of a verification's trace are made of. */
export function hashForTrace(keyring: Hashing, random: Buffer): Buffer {
  return keyring.mac('trace of session', random)
}

/** The id of a verification's trace. Undefined if the id is malformed. */
export async function traceIdOf(keyring: Hashing, verification_id: string): Promise<string | undefined> {
  const { contextOfVerification } = await import('./tracing/span-contexts.ts')
  return contextOfVerification((random) => hashForTrace(keyring, random), verification_id)?.traceId
}
