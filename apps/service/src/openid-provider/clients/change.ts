import type { ChangeOpenIdClient, Environment } from '@vidimus/contract'
import { appendAudit, type NewAuditEntry } from '../../audit/append.ts'
import type { Context } from '../../context.ts'
import { lockActingMember } from '../../members/lock-member.ts'
import { Refusal, notFound } from '../../platform/refusal.ts'
import { keepTemplates } from '../../templates/keep.ts'
import { requireSubjectClaim } from './require-subject-claim.ts'
import { redirectUriLedgerId } from './revocable.ts'
import { lockClient, readClient, updateClient, type ClientRow, type ClientSettings } from './store.ts'

export type ChangeClient = {
  by: NewAuditEntry['by']
  client_id: string
  environment?: Environment | undefined
  change: ChangeOpenIdClient
}

/** Changes a client. It applies to the next authorization request; a removed redirect address gets no code from then on. */
export async function changeClient(
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  { by, client_id, environment, change }: ChangeClient,
): Promise<void> {
  const key = { tenant_id: by.tenant_id, id: client_id, environment }
  const before = await readClient(db, key)
  if (before === undefined) throw notFound('openid_client_not_found')
  const planned = merge(before, change)
  if (change.templates !== undefined || change.subject_claim !== undefined)
    await requireSubjectClaim({ db }, { tenant_id: by.tenant_id, ...planned })
  await db.transaction(async (tx) => {
    await lockActingMember(tx, by, 'manage_keys')
    const client = await lockClient(tx, key)
    if (client === undefined) throw notFound('openid_client_not_found')
    const to = merge(client, change)
    // The claims of the templates were checked before the transaction.
    if (subjectOf(to) !== subjectOf(planned))
      throw new Refusal('openid_client_changed', 'The client was changed at the same time. Load it again.')
    if (change.templates !== undefined)
      await keepTemplates(tx, { tenant_id: by.tenant_id, keys: to.templates })
    await updateClient(tx, key, to)
    await appendAudit(tx, {
      action: 'openid_client.changed',
      by,
      subject: client_id,
      detail: { changed: Object.keys(change).toSorted(), templates: to.templates },
    })
    const removed = client.redirect_uris.filter((uri) => !to.redirect_uris.includes(uri))
    await ledger.record(
      tx,
      removed.map((uri) => ({ kind: 'openid_redirect_uri', id: redirectUriLedgerId(client_id, uri) })),
    )
  })
}

function merge(client: ClientRow, change: ChangeOpenIdClient): ClientSettings {
  return {
    name: change.name ?? client.name,
    redirect_uris: [...new Set(change.redirect_uris ?? client.redirect_uris)],
    templates: [...new Set(change.templates ?? client.templates)],
    purpose: change.purpose === undefined ? client.purpose : change.purpose,
    id_token_algorithm: change.id_token_algorithm ?? client.id_token_algorithm,
    subject_claim: change.subject_claim === undefined ? client.subject_claim : change.subject_claim,
  }
}

function subjectOf({ templates, subject_claim }: ClientSettings): string {
  return JSON.stringify([templates, subject_claim])
}
