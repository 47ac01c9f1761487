import { createHmac } from 'node:crypto'
import { canonicalize } from '@vidimus/evidence'
import type { Context } from '../../../engine/context.ts'
import type { LockedResult } from '../../../verifications/index.ts'
import type { ClientRow } from '../clients/store.ts'
import { subjectKeyUse } from '../issuer/issuer.ts'
import type { IssuerRow } from '../issuer/store.ts'

export type Subject = { sub: string; sub_type: 'ephemeral' | 'pairwise' }
export type SubjectOf = {
  client: Pick<ClientRow, 'id' | 'subject_claim' | 'cross_device'>
  verification_id: string
  result: Pick<LockedResult, 'claims' | 'claim_issuers' | 'code_hash'>
}

/**
 * Who the person is to this client. Wallets have no lasting identifier, so by default every verification has a subject of its own. With a
 * configured claim, the same value of the same issuer gives the same subject, to this client only; the key that it is hashed with is the
 * tenant's. Undefined if the wallet did not disclose that claim, if it is not known whose value it is, since two people may have the same,
 * or if the wallet was on another device than the browser and the client does not accept that.
 */
export async function deriveSubject(
  { keyring }: Pick<Context, 'keyring'>,
  issuer: Pick<IssuerRow, 'sealed' | 'tenant_id'>,
  { client, verification_id, result: { claims, claim_issuers, code_hash } }: SubjectOf,
): Promise<Subject | undefined> {
  if (client.subject_claim === null) {
    const hash = keyring.mac('openid ephemeral subject', client.id, verification_id)
    return { sub: hash.toString('base64url'), sub_type: 'ephemeral' }
  }
  // Only a wallet that redirected the browser left a code.
  if (code_hash === null && !client.cross_device) return undefined
  const value = claims?.[client.subject_claim]
  if ((typeof value !== 'string' || value === '') && typeof value !== 'number') return undefined
  const claimIssuer = claim_issuers?.[client.subject_claim]
  if (claimIssuer === undefined) return undefined
  const key = await keyring.unseal(subjectKeyUse, issuer.sealed)
  const parts = canonicalize([client.id, client.subject_claim, claimIssuer, String(value)])
  return { sub: createHmac('sha256', key).update(parts).digest('base64url'), sub_type: 'pairwise' }
}
