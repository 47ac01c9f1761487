import type { Format } from '../src/documents/holding.ts'
import { createIssuer } from '../src/issuer/create-issuer.ts'
import type { Edit } from '../src/members/edit.ts'
import { structures, type Structure } from '../src/members/structures.ts'
import { members, type Member } from '../src/members/table.ts'
import { findPersona } from '../src/personas.ts'
import { answerRequest } from '../src/wallet/answer-request.ts'
import { questionFor } from './fault-world.ts'
import { openSession, type Verdict } from './protocol-session.ts'

/** One member added or taken out, in one format, and the check that refuses it; `undefined` where it is accepted. */
export type Mutant = { title: string; format: Format; member: Member; edit: Edit; refused_by?: string }

export const mutants: readonly Mutant[] = members.flatMap((member) => {
  const { formats }: Structure = structures[member.structure]
  const name = `${member.structure}.${member.member}`
  return formats.map((format): Mutant => {
    const shared = { format, member }
    if ('optional' in member) {
      const edit = { add: member.member, value: member.optional }
      return { ...shared, title: `with ${name} in ${format} (${member.clause})`, edit }
    }
    const title = `without ${name} in ${format} (${member.clause})`
    const edit = { drop: member.member }
    return 'omissible' in member
      ? { ...shared, title, edit }
      : { ...shared, title, edit, refused_by: member.mandatory }
  })
})

const now = new Date()
const issuer = createIssuer({ now })
const holdings = findPersona('adult')?.holdings(now) ?? []

/** Has the sandbox wallet answer with the mutant, and the verifier judge it. */
export async function judgeMutant({ format, member, edit }: Mutant): Promise<Verdict> {
  const structure: Structure = structures[member.structure]
  const { alterations = {}, list_edits } = structure.edit(edit)
  const { query } = questionFor({ fault: plain, format })
  const session = openSession({ issuer, query, now, ...(list_edits && { list_edits }) })
  const form = await answerRequest({ issuer, holdings, alterations }, session.request, now)
  return session.judge(form)
}

const plain = { name: '', description: '', expect: {}, alterations: {} }
