import { buildAgeAppUri, selectAgeAppQuery, type AnyQuery } from '@vidimus/protocol'
import type { Context } from '../../engine/context.ts'
import { notFound } from '../../engine/basics/index.ts'
import { type HolderPage, type Policies, getHolderPage } from '../../accounts/index.ts'
import { deriveSecrets } from './derive-secrets.ts'
import type { OpenVerification } from './find-open-verification.ts'
import { toWalletQuery } from './load-query.ts'
import { responseUri, type AgeAppVia } from './uris.ts'

/**
 * The link that opens the EU age-verification app, or the content of its QR code. Undefined if the tenant does not accept the
 * app, or if its proof of age alone does not satisfy the query (DC-12).
 */
export function ageAppUri(
  { config, keyring }: Pick<Context, 'config' | 'keyring'>,
  { id, seed, ...asked }: Pick<OpenVerification, 'id' | 'seed' | 'query' | 'rules'>,
  { age_app, ...policies }: Pick<HolderPage, 'age_app'> & Pick<Policies, 'forget_on_delivery'>,
  via: AgeAppVia,
): string | undefined {
  if (!age_app) return undefined
  const { nonce, state } = deriveSecrets(keyring, seed, { kind: via })
  const response_uri = responseUri(config.BASE_URL, id, via)
  return buildAgeAppUri({ response_uri, nonce, state, dcql_query: toWalletQuery(asked, policies) })
}

/**
 * The part of the query that the app was asked, which is all that its response is verified against. Where the app was never
 * offered, its response address does not exist.
 */
export async function requireAgeAppQuery(
  ctx: Pick<Context, 'db'>,
  { tenant_id, query, change_version }: Pick<OpenVerification, 'tenant_id' | 'query' | 'change_version'>,
): Promise<AnyQuery> {
  const { age_app } = await getHolderPage(ctx, tenant_id, change_version)
  const selected = age_app ? selectAgeAppQuery(query) : undefined
  if (selected === undefined) throw notFound('session_not_found')
  return selected
}
