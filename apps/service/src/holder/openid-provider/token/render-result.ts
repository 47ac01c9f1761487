import type { Context } from '../../../engine/context.ts'
import type { Db } from '../../../engine/db/index.ts'
import { lockResult } from '../../../verifications/index.ts'
import type { ClientRow } from '../clients/store.ts'
import { toPrincipal } from '../client-principal.ts'
import type { Issuer } from '../issuer/issuer.ts'
import { deriveSubject } from './derive-subject.ts'
import { renderClaims } from './render-claims.ts'

export type ResultOf = { issuer: Issuer; client: ClientRow; verification_id: string }

/**
 * What ID token and userinfo contain, read from the result now. Undefined if there is no completed result, or none that says who
 * the person is to this client.
 */
export async function renderResult(
  { keyring }: Pick<Context, 'keyring'>,
  db: Db,
  { issuer, client, verification_id }: ResultOf,
): Promise<Record<string, unknown> | undefined> {
  const result = await lockResult(db, toPrincipal(client), verification_id)
  if (result?.status !== 'completed' || result.claims === null) return undefined
  const subject = await deriveSubject({ keyring }, issuer, { client, verification_id, result })
  return (
    subject && {
      ...renderClaims(result),
      ...subject,
      verification: { id: verification_id, environment: client.environment },
    }
  )
}
