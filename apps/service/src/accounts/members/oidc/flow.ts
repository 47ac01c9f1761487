import { z } from 'zod'
import type { Context } from '../../../engine/context.ts'
import { readNow } from '../store.ts'

/**
 * State of a sign-in at the provider, sealed in a cookie: only the browser that started it can finish it, and nothing is
 * stored for those who never come back.
 */
export type OidcFlow = z.infer<typeof OidcFlow>
const OidcFlow = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  return_to: z.string(),
  /** The person must sign in at the provider again, even with a session there. */
  fresh: z.boolean().optional(),
  invitation: z.strictObject({ token: z.string(), name: z.string() }).optional(),
  expires_seconds: z.int(),
})

const sealPurpose = 'oidc flow'
export const flowLifetime_seconds = 600

export async function sealFlow(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  flow: Omit<OidcFlow, 'expires_seconds'>,
): Promise<string> {
  const { seconds } = await readNow(db)
  const text = JSON.stringify({ ...flow, expires_seconds: seconds + flowLifetime_seconds })
  return keyring.seal(sealPurpose, Buffer.from(text)).toString('base64url')
}

/** Undefined if it was not sealed here, or has expired. */
export async function unsealFlow(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  sealed: string | undefined,
): Promise<OidcFlow | undefined> {
  if (sealed === undefined) return undefined
  // It throws for a value that it did not seal.
  const plain = await keyring.unseal(sealPurpose, Buffer.from(sealed, 'base64url')).catch(() => undefined)
  if (plain === undefined) return undefined
  const flow = OidcFlow.parse(JSON.parse(plain.toString()))
  const { seconds } = await readNow(db)
  return flow.expires_seconds > seconds ? flow : undefined
}
