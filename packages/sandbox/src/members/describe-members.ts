import { structures, type Structure } from './structures.ts'
import type { StructureMember } from './member-rules.ts'

const heading = `# Members

What wallets, issuers and status hosts may and must write, with the clause that says so, and what the service makes of it. A test is made from each row,
in each of its formats: an optional member is added and the answer must be accepted; one that may be left out is left out, and the answer must be accepted;
a mandatory one is taken out and the answer must be refused by the check that is named. Numbers are CBOR labels. \`not an answer\` is 400, and the session
stays pending.

\`npm run members\` writes this page; a test compares them.

| structure | member | format | clause | rule |
|---|---|---|---|---|
`

/** The table as docs/reference/members.md has it. */
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
  if ('omissible' in member) return 'may be left out: accepted'
  return member.mandatory === 'not_an_answer'
    ? 'mandatory: not an answer'
    : `mandatory: refused by \`${member.mandatory}\``
}
