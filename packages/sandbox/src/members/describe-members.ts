import { structures, type Structure } from './structures.ts'
import type { StructureMember } from './member-rules.ts'

/**
 * A table of the members that specifications allow or require, with the clause, and how the service treats them. Numbers are CBOR labels.
 * `rejected` means status 400, and the verification stays pending.
 */
export function membersMarkdown(rules: readonly StructureMember[]): string {
  return [
    '| structure | member | format | clause | rule |',
    '|---|---|---|---|---|',
    ...rules.map(formatRow),
    '',
  ].join('\n')
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
