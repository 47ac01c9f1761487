import { hash, randomBytes, randomUUID } from 'node:crypto'
import { type Environment, type OpenIdClientInput, accessKinds, maxOpenIdClients } from '@vidimus/contract'
import type { CredentialQuery, CredentialSetQuery, Template } from '@vidimus/protocol'
import { lockMaker, requireUnsealed } from '../../../accounts/index.ts'
import { type NewAuditEntry, appendAudit } from '../../../audit/index.ts'
import { Refusal } from '../../../engine/basics/index.ts'
import { hasChecksum, newCheckedText } from '../../../engine/formats/index.ts'
import {
  type TemplateContext,
  findSealableTemplate,
  keepTemplates,
  readVersion,
  requireNoInput,
  resolveTemplate,
} from '../../../templates/index.ts'
import { ensureIssuer } from '../issuer/issuer.ts'
import { lockIssuer } from '../issuer/store.ts'
import { insertSecret } from './secret-store.ts'
import { countClients, insertClient } from './store.ts'

export type CreateClient = OpenIdClientInput & { by: NewAuditEntry['by']; environment: Environment }
type CreatedClient = { client_id: string; secret: string | undefined }

/** Creates a client. Its secret is shown only once: only its hash is stored. The tenant's first client makes it an issuer. */
export async function createClient(
  ctx: Pick<TemplateContext, 'config' | 'db' | 'keyring' | 'builtInTemplates'>,
  { by, environment, authentication, ...input }: CreateClient,
): Promise<CreatedClient> {
  const { tenant_id } = by
  const templates = [...new Set(input.templates)]
  await requireNoInput(ctx, { tenant_id, keys: templates })
  await requireSubjectClaim(ctx, { tenant_id, templates, subject_claim: input.subject_claim ?? null })
  const sealable = await findSealableTemplate(ctx, { tenant_id, keys: templates })
  await ensureIssuer(ctx, tenant_id)
  const id = newClientId()
  const secret = authentication === 'secret' ? newClientSecret(environment) : undefined
  await ctx.db.transaction(async (tx) => {
    const maker = await lockMaker(tx, by, ...accessKinds.openid_client.needs)
    if (sealable !== undefined)
      await requireUnsealed(tx, { tenant_id, environment }, clientCannotRead(sealable))
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
      pkce_required: input.pkce_required,
      created_by: maker.member_id,
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
        pkce_required: input.pkce_required,
      },
    })
  })
  return { client_id: id, secret }
}

/** Why a template is refused where results are sealed: the service would have to read what it seals. */
export function clientCannotRead(template: string): string {
  return `An OpenID client would not get all claims of the template ${template}. List them under clear_claims of the template if each is true or false, or use the API with the SDK.`
}

const idBytes = 16
const secretShape = /^vcs_(?:test|live)_[0-9A-Za-z]{38}$/

/** `oc_` and 22 characters. Not a secret: it is part of every authorization request. */
function newClientId(): string {
  return `oc_${randomBytes(idBytes).toString('base64url')}`
}

/** `vcs_test_` or `vcs_live_`, 190 random bits and a checksum. */
export function newClientSecret(environment: Environment): string {
  return newCheckedText(`vcs_${environment}_`)
}

/** Whether a string has the form of a client's secret. It need not have been issued. */
export function isClientSecret(text: string): boolean {
  return secretShape.test(text) && hasChecksum(text)
}

/** What is stored of a secret. With 190 random bits, a plain hash cannot be reversed. */
export function hashClientSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

type SubjectOfTemplates = { tenant_id: string; templates: readonly string[]; subject_claim: string | null }

/**
 * Throws unless every verification that completes with one of these templates has the claim that subjects are derived from. A
 * template that does not exist is refused elsewhere.
 */
export async function requireSubjectClaim(
  ctx: Pick<TemplateContext, 'db' | 'builtInTemplates'>,
  { tenant_id, templates, subject_claim }: SubjectOfTemplates,
): Promise<void> {
  if (subject_claim === null) return
  for (const key of templates) {
    const current = await resolveTemplate(ctx, { tenant_id, key })
    const template = current === undefined ? undefined : await readVersion(ctx.db, current.version)
    if (template !== undefined && !alwaysReturnsClaim(template, subject_claim))
      throw new Refusal(
        'invalid_request',
        `subject_claim: not every wallet returns ${subject_claim} for the template ${key}. Require it there, or choose another claim.`,
      )
  }
}

/**
 * Whether every verification that completes with a template has this claim, so that it can tell people apart. What is derived or
 * must have one fixed value is the same for many people and does not count.
 */
export function alwaysReturnsClaim(template: Template, name: string): boolean {
  const { must = {}, derive = {}, query } = template
  const requirement = Object.hasOwn(must, name) ? must[name] : undefined
  if (requirement !== undefined && 'equals' in requirement) return false
  if (Object.entries(derive).some(([derived, { from }]) => derived === name || from === name)) return false
  // The query of a template was checked when it was saved.
  const credentials = query.credentials as CredentialQuery[]
  const sets = query.credential_sets as CredentialSetQuery[] | undefined
  const providers = credentials.filter((each) => providesClaim(template, each, name)).map(({ id }) => id)
  if (requirement !== undefined && credentials.some((each) => listPlaces(template, each, name).length > 0))
    return true
  if (sets === undefined) return providers.length > 0
  return sets.some(
    ({ options, required = true }) =>
      required && options.every((option) => option.some((id) => providers.includes(id))),
  )
}

/** Whether a credential that satisfies its query always contains the claim. */
function providesClaim(template: Template, credential: CredentialQuery, name: string): boolean {
  const ids = listPlaces(template, credential, name)
  if (credential.claim_sets === undefined) return ids.length > 0
  return credential.claim_sets.every((set) => set.some((id) => ids.includes(id)))
}

/** The requested claims of a credential that are returned under a name, by their ids; a claim without an id has an empty one. */
function listPlaces({ claims: vocabulary }: Template, credential: CredentialQuery, name: string): string[] {
  const isNamed = (path: readonly unknown[]) =>
    vocabulary === undefined
      ? path[credential.format === 'mso_mdoc' ? 1 : 0] === name
      : Object.hasOwn(vocabulary, name) &&
        vocabulary[name]?.some(
          (place) =>
            place.credential === credential.id && JSON.stringify(place.path) === JSON.stringify(path),
        )
  return (credential.claims ?? []).filter(({ path }) => isNamed(path)).map(({ id = '' }) => id)
}
