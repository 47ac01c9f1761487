import type { CredentialResult, MaskedCredential } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { showWebhook, type ShowWebhook } from './show-webhook.ts'

/** Shown in place of a claim that was not revealed. */
const mask = '•••'

/** A webhook's payload as it would be sent now, with its claims masked. Undefined if the session is erased or has no result. */
export async function showMaskedWebhook(
  ctx: Context,
  request: ShowWebhook,
): Promise<Record<string, unknown> | undefined> {
  try {
    const { verification, ...payload } = await showWebhook(ctx, request)
    const { claims, credentials, ...rest } = verification
    return {
      ...payload,
      verification: {
        ...rest,
        ...(claims !== undefined && { claims: maskClaims(claims) }),
        ...(credentials !== undefined && {
          credentials: credentials.map((each) => ({ ...each, claims: maskClaims(each.claims) })),
        }),
      },
    }
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** Keeps the names: they are what was requested. */
function maskClaims(claims: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(claims).map((name) => [name, mask]))
}

export function maskCredential({ claims, ...rest }: CredentialResult): MaskedCredential {
  return { ...rest, claim_names: claimNames(rest.format, claims) }
}

/** An mdoc's claims are grouped by namespace. */
function claimNames(format: CredentialResult['format'], claims: Record<string, unknown>): string[] {
  if (format === 'dc+sd-jwt') return Object.keys(claims)
  return Object.values(claims).flatMap((elements) => Object.keys(elements as object)) // a namespace is a map
}
