import { createHmac } from 'node:crypto'
import { canonicalize } from '@vidimus/evidence'
import type { Context } from '../../context.ts'
import { subjectKeyUse } from '../issuer/ensure-issuer.ts'
import type { IssuerRow } from '../issuer/store.ts'

export type Subject = { sub: string; sub_type: 'ephemeral' | 'pairwise' }
export type SubjectOf = {
  client: { id: string; subject_claim: string | null }
  session_id: string
  claims: Record<string, unknown> | null
}

/**
 * Who the person is to this client. Wallets have no lasting identifier, so by default every verification has a subject of its own. With a
 * configured claim, the same value gives the same subject, to this client only; the key that it is hashed with is the tenant's.
 * Undefined if the wallet did not disclose that claim.
 */
export async function deriveSubject(
  { keyring }: Pick<Context, 'keyring'>,
  issuer: Pick<IssuerRow, 'sealed' | 'tenant_id'>,
  { client, session_id, claims }: SubjectOf,
): Promise<Subject | undefined> {
  if (client.subject_claim === null) {
    const hash = keyring.mac('openid ephemeral subject', client.id, session_id)
    return { sub: hash.toString('base64url'), sub_type: 'ephemeral' }
  }
  const value = claims?.[client.subject_claim]
  if ((typeof value !== 'string' || value === '') && typeof value !== 'number') return undefined
  const key = await keyring.unseal(subjectKeyUse, issuer.sealed)
  const parts = canonicalize([client.id, client.subject_claim, value])
  return { sub: createHmac('sha256', key).update(parts).digest('base64url'), sub_type: 'pairwise' }
}
