import type { Format } from '../src/documents/credential.ts'
import { createIssuer } from '../src/issuer/create-issuer.ts'
import type { Edit } from '../src/members/edit.ts'
import { structures, type Structure } from '../src/members/structures.ts'
import { memberRules, type StructureMember } from '../src/members/member-rules.ts'
import { findPersona } from '../src/personas.ts'
import { buildResponse } from '../src/wallet/build-response.ts'
import { queryForFault } from './fault-fixture.ts'
import { openProtocolVerification, type Verdict } from './protocol-verification.ts'

/** One member added or removed, in one format. `refused_by` is the check that must fail; undefined if the response is accepted. */
export type Mutant = {
  title: string
  format: Format
  member: StructureMember
  edit: Edit
  refused_by?: string
}

export const mutants: readonly Mutant[] = memberRules.flatMap((member) => {
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
const credentials = findPersona('adult')?.credentials(now) ?? []

/** Builds the mutant's response and verifies it. */
export async function verifyMutant({ format, member, edit }: Mutant): Promise<Verdict> {
  const structure: Structure = structures[member.structure]
  const { alterations = {}, list_edits } = structure.edit(edit)
  const { query } = queryForFault({ fault: {}, format })
  const verification = openProtocolVerification({ issuer, query, now, ...(list_edits && { list_edits }) })
  const form = await buildResponse({ issuer, credentials, alterations }, verification.request, now)
  return verification.verify(form)
}
