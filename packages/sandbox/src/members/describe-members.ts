import { structures, type Structure } from './structures.ts'
import type { StructureMember } from './member-rules.ts'

const heading = `# Members

The members that specifications allow or require in what wallets, issuers and status list hosts send, with the clause of the specification, and how the service
treats them. A test is generated from each row, in each format: it adds an optional member and expects the response to be accepted; it removes an omissible
member and expects the response to be accepted; it removes a mandatory member and expects the named check to fail. Numbers are CBOR labels. \`rejected\` means
status 400, and the session stays pending.

\`npm run members\` writes this page. A test compares it with the code.

| structure | member | format | clause | rule |
|---|---|---|---|---|
`

/** The text of docs/reference/members.md. */
export function membersMarkdown(rules: readonly StructureMember[]): string {
  return heading + rules.map((rule) => `${formatRow(rule)}\n`).join('')
}

function formatRow(member: StructureMember): string {
  const { formats }: Structure = structures[member.structure]
  const cells = [
    member.structure,
    `\`${member.member}\``,
    formats.join(', '),
    member.clause,
    describeRule(member),
  ]
  return `| ${cells.join(' | ')} |`
}

function describeRule(member: StructureMember): string {
  if ('optional' in member) return 'optional: accepted'
  if ('omissible' in member) return 'may be omitted: accepted'
  return member.mandatory === 'rejected' ? 'mandatory: rejected' : `mandatory: fails \`${member.mandatory}\``
}
