import type { Context } from '../../../engine/context.ts'
import { Refusal } from '../../../engine/basics/index.ts'
import { readVersion, resolveTemplate } from '../../../templates/index.ts'
import { alwaysReturnsClaim } from './always-returns-claim.ts'

type SubjectOfTemplates = { tenant_id: string; templates: readonly string[]; subject_claim: string | null }

/**
 * Throws unless every verification that completes with one of these templates has the claim that subjects are derived from. A
 * template that does not exist is refused elsewhere.
 */
export async function requireSubjectClaim(
  { db }: Pick<Context, 'db'>,
  { tenant_id, templates, subject_claim }: SubjectOfTemplates,
): Promise<void> {
  if (subject_claim === null) return
  for (const key of templates) {
    const version = await resolveTemplate({ db }, { tenant_id, key })
    const template = version === undefined ? undefined : await readVersion(db, version)
    if (template !== undefined && !alwaysReturnsClaim(template, subject_claim))
      throw new Refusal(
        'invalid_request',
        `subject_claim: not every wallet returns ${subject_claim} for the template ${key}. Require it there, or choose another claim.`,
      )
  }
}
