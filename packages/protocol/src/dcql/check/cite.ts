import type { Violation } from '../query.ts'

/** Adds where OpenID4VP 1.0 has the rule. In ASCII, because a header may carry it. */
export function cite(section: string, violations: readonly Violation[]): Violation[] {
  return violations.map(({ place, rule }) => ({ place, rule: `${rule} (OpenID4VP 1.0 section ${section})` }))
}
