import type { AnyQuery, TemplateRules } from '@vidimus/protocol'
import type { Database } from '../../engine/db/index.ts'
import { readVersion } from '../../templates/index.ts'
import type { WalletSessionRow } from './store.ts'

/** What a session asks for, and what its template does with the response. */
export type SessionQuery = { query: AnyQuery; rules: TemplateRules }

/** What was requested: the session's own query, or that of its template version with its rules. */
export async function loadQuery(
  { db }: { db: Database },
  row: Pick<WalletSessionRow, 'query' | 'template_version'>,
): Promise<SessionQuery> {
  if (row.query !== null) return { query: row.query, rules: {} }
  const template = row.template_version === null ? undefined : await readVersion(db, row.template_version)
  if (template === undefined) throw new Error('A session has neither a query nor a template version.')
  const { claims, must, derive } = template
  return {
    query: template.query,
    rules: { ...(claims && { claims }), ...(must && { must }), ...(derive && { derive }) },
  }
}
