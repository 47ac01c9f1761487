import { type AnyQuery, type LocalText, type TemplateRules, stateRetention } from '@vidimus/protocol'
import { type Policies, getPolicies } from '../../accounts/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Database } from '../../engine/db/index.ts'
import { readVersion } from '../../templates/index.ts'
import type { WalletVerificationRow } from './store.ts'

/** What a verification asks for, and its template's rules for the response. */
export type VerificationQuery = {
  query: AnyQuery
  rules: TemplateRules
  /** Why the template asks, in the languages that it has. */
  purposes?: LocalText[]
}

/** The verification's own query, or the query and the rules of its template version. */
export async function loadQuery(
  { db }: { db: Database },
  row: Pick<WalletVerificationRow, 'query' | 'template_version'>,
): Promise<VerificationQuery> {
  if (row.query !== null) return { query: row.query, rules: {} }
  const template = row.template_version === null ? undefined : await readVersion(db, row.template_version)
  if (template === undefined) throw new Error('A verification has neither a query nor a template version.')
  const { claims, must, derive, clear_claims, purpose } = template
  return {
    query: template.query,
    rules: {
      ...(claims && { claims }),
      ...(must && { must }),
      ...(derive && { derive }),
      ...(clear_claims && { clear_claims }),
    },
    ...(purpose && { purposes: purpose }),
  }
}

type AskingVerification = Pick<WalletVerificationRow, 'tenant_id' | 'change_version' | 'erasing_day'> &
  VerificationQuery

/** The query as a wallet is sent it, which says whether what it discloses is kept. */
export async function loadWalletQuery(
  ctx: Pick<Context, 'db'>,
  verification: AskingVerification,
): Promise<AnyQuery> {
  const { tenant_id, change_version, erasing_day } = verification
  const { forget_on_delivery } = await getPolicies(ctx, tenant_id, change_version)
  return toWalletQuery(verification, { forget_on_delivery: forget_on_delivery || erasing_day !== null })
}

/** What is deleted on delivery is not kept. */
export function toWalletQuery(
  { query, rules }: VerificationQuery,
  { forget_on_delivery }: Pick<Policies, 'forget_on_delivery'>,
): AnyQuery {
  return stateRetention(query, rules, !forget_on_delivery)
}
