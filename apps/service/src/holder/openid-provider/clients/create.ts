import { randomUUID } from 'node:crypto'
import { accessKinds, maxOpenIdClients, type Environment, type OpenIdClientInput } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import { lockActingMember, makerOf } from '../../../accounts/index.ts'
import { Refusal } from '../../../engine/basics/index.ts'
import { keepTemplates } from '../../../templates/index.ts'
import { ensureIssuer } from '../issuer/ensure-issuer.ts'
import { lockIssuer } from '../issuer/store.ts'
import { hashClientSecret, newClientId, newClientSecret } from './format.ts'
import { requireSubjectClaim } from './require-subject-claim.ts'
import { insertSecret } from './secret-store.ts'
import { countClients, insertClient } from './store.ts'

export type CreateClient = OpenIdClientInput & { by: NewAuditEntry['by']; environment: Environment }
export type CreatedClient = { client_id: string; secret: string | undefined }

/** Creates a client. Its secret is shown only once: only its hash is stored. The tenant's first client makes it an issuer. */
export async function createClient(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  { by, environment, authentication, ...input }: CreateClient,
): Promise<CreatedClient> {
  const { tenant_id } = by
  const templates = [...new Set(input.templates)]
  await requireSubjectClaim(ctx, { tenant_id, templates, subject_claim: input.subject_claim ?? null })
  await ensureIssuer(ctx, tenant_id)
  const id = newClientId()
  const secret = authentication === 'secret' ? newClientSecret(environment) : undefined
  await ctx.db.transaction(async (tx) => {
    await lockActingMember(tx, by, ...accessKinds.openid_client.needs)
    // The lock also makes a concurrent creation count this client.
    if (!(await lockIssuer(tx, tenant_id))) throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)
    if ((await countClients(tx, tenant_id, maxOpenIdClients)) >= maxOpenIdClients)
      throw new Refusal('too_many', `A tenant can have ${maxOpenIdClients} OpenID clients. Delete one first.`)
    await keepTemplates(tx, { tenant_id, keys: templates })
    await insertClient(tx, {
      id,
      tenant_id,
      environment,
      authentication,
      name: input.name,
      redirect_uris: [...new Set(input.redirect_uris)],
      templates,
      purpose: input.purpose ?? null,
      id_token_algorithm: input.id_token_algorithm,
      subject_claim: input.subject_claim ?? null,
      cross_device: input.cross_device,
      created_by: makerOf(by),
    })
    if (secret !== undefined)
      await insertSecret(tx, { id: randomUUID(), tenant_id, client_id: id, hash: hashClientSecret(secret) })
    await appendAudit(tx, {
      action: 'openid_client.created',
      by,
      subject: id,
      detail: {
        environment,
        templates,
        authentication,
        subject_claim: input.subject_claim ?? null,
        cross_device: input.cross_device,
      },
    })
  })
  return { client_id: id, secret }
}
