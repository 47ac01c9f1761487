import { type ChangeOpenIdClient, type Environment, accessKinds } from '@vidimus/contract'
import { lockMaker, requireUnsealed } from '../../../accounts/index.ts'
import { type NewAuditEntry, appendAudit } from '../../../audit/index.ts'
import { Refusal, notFound } from '../../../engine/basics/index.ts'
import type { Context } from '../../../engine/context.ts'
import {
  type TemplateContext,
  findSealableTemplate,
  keepTemplates,
  requireNoInput,
} from '../../../templates/index.ts'
import { redirectUriLedgerId } from './client-access.ts'
import { clientCannotRead, requireSubjectClaim } from './create-client.ts'
import {
  type ClientRow,
  type ClientSettings,
  deleteClientRow,
  lockClient,
  readClient,
  updateClient,
  updateClientMaker,
} from './store.ts'

type ChangeClient = {
  by: NewAuditEntry['by']
  client_id: string
  environment?: Environment | undefined
  change: ChangeOpenIdClient
}

/** Changes a client. It applies to the next authorization request; a removed redirect address gets no code from then on. */
export async function changeClient(
  { db, ledger, builtInTemplates }: Pick<TemplateContext, 'db' | 'ledger' | 'builtInTemplates'>,
  { by, client_id, environment, change }: ChangeClient,
): Promise<void> {
  const key = { tenant_id: by.tenant_id, id: client_id, environment }
  const before = await readClient(db, key)
  if (before === undefined) throw notFound('openid_client_not_found')
  const planned = merge(before, change)
  if (!planned.pkce_required && before.authentication === 'none')
    throw new Refusal('invalid_request', 'pkce_required: must be true for a client without a secret.')
  if (change.templates !== undefined)
    await requireNoInput({ db, builtInTemplates }, { tenant_id: by.tenant_id, keys: change.templates })
  if (change.templates !== undefined || change.subject_claim !== undefined)
    await requireSubjectClaim({ db, builtInTemplates }, { tenant_id: by.tenant_id, ...planned })
  const sealable =
    change.templates &&
    (await findSealableTemplate(
      { db, builtInTemplates },
      { tenant_id: by.tenant_id, keys: change.templates },
    ))
  await db.transaction(async (tx) => {
    const maker = await lockMaker(tx, by, ...accessKinds.openid_client.needs)
    const client = await lockClient(tx, key)
    if (client === undefined) throw notFound('openid_client_not_found')
    const to = merge(client, change)
    // The claims of the templates were checked before the transaction.
    if (subjectOf(to) !== subjectOf(planned))
      throw new Refusal('openid_client_changed', 'The client was changed at the same time. Load it again.')
    if (sealable !== undefined)
      await requireUnsealed(
        tx,
        { tenant_id: by.tenant_id, environment: client.environment },
        clientCannotRead(sealable),
      )
    if (change.templates !== undefined)
      await keepTemplates(tx, { tenant_id: by.tenant_id, keys: to.templates })
    await updateClient(tx, key, to)
    // Codes go to the addresses, so the member who sets them becomes responsible for the client.
    if (change.redirect_uris !== undefined) await updateClientMaker(tx, key, maker.member_id)
    await appendAudit(tx, {
      action: 'openid_client.changed',
      by,
      subject: client_id,
      detail: {
        environment: client.environment,
        changed: Object.keys(change).toSorted(),
        templates: to.templates,
      },
    })
    const removed = client.redirect_uris.filter((uri) => !to.redirect_uris.includes(uri))
    await ledger.record(
      tx,
      removed.map((uri) => ({ kind: 'openid_redirect_uri', id: redirectUriLedgerId(client_id, uri) })),
    )
  })
}

function merge(client: ClientRow, change: ChangeOpenIdClient): ClientSettings {
  const subject_claim = change.subject_claim === undefined ? client.subject_claim : change.subject_claim
  return {
    name: change.name ?? client.name,
    redirect_uris: [...new Set(change.redirect_uris ?? client.redirect_uris)],
    templates: [...new Set(change.templates ?? client.templates)],
    purpose: change.purpose === undefined ? client.purpose : change.purpose,
    id_token_algorithm: change.id_token_algorithm ?? client.id_token_algorithm,
    subject_claim,
    // If the client recognises people again later, this must be decided again.
    cross_device: subject_claim !== null && (change.cross_device ?? client.cross_device),
    pkce_required: change.pkce_required ?? client.pkce_required,
  }
}

function subjectOf({ templates, subject_claim }: ClientSettings): string {
  return JSON.stringify([templates, subject_claim])
}

type DeleteClient = {
  by: NewAuditEntry['by']
  client_id: string
  environment?: Environment | undefined
}

/** Deletes a client for good, with its secrets. Sign-ins in progress end without tokens. */
export async function deleteClient(
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  { by, client_id, environment }: DeleteClient,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockMaker(tx, by, 'manage_keys')
    const deleted = await deleteClientRow(tx, { tenant_id: by.tenant_id, id: client_id, environment })
    if (deleted === undefined) throw notFound('openid_client_not_found')
    await appendAudit(tx, { action: 'openid_client.deleted', by, subject: client_id })
    await ledger.record(tx, [{ kind: 'openid_client', id: client_id }])
  })
}
