import fc from 'fast-check'
import type { CheckName } from '../../src/checks.ts'
import type { Outcome } from '../../src/presentation.ts'
import { edits, pick } from './edit.ts'
import { mutateRepeatedly } from './mutate-repeatedly.ts'
import { reportMutations, type MutationReport } from './report-mutations.ts'
import { makeValidPresentations } from './valid-presentations.ts'
import { verifyIgnoring } from './verify-ignoring.ts'

/**
 * Mutates valid presentations `n` times, in one or several places, and verifies them. Throws at the first one that makes the
 * verifier throw or is accepted with other claims than were signed. `ignoredChecks` injects a fault: the verifier ignores
 * these checks.
 */
export async function runMutations(
  n: number,
  ignoredChecks: readonly CheckName[] = [],
): Promise<MutationReport> {
  const { context, presentations } = makeValidPresentations()
  const verify = (vp_token: Record<string, string[]>) => verifyIgnoring(vp_token, context, ignoredChecks)

  const originals = new Map<string, Outcome>()
  for (const { id, presentation } of presentations) {
    const outcome = await verify({ [id]: [presentation] })
    if (outcome.status !== 'completed') throw new Error(JSON.stringify(outcome))
    originals.set(id, outcome)
  }
  return reportMutations(n, {
    mutations: fc.record({
      format: fc.nat({ max: presentations.length - 1 }),
      changes: fc.array(edits, { minLength: 1, maxLength: 3 }),
    }),
    mutate: async ({ format, changes }) => {
      const sample = pick(presentations, format)
      return {
        response: { [sample.id]: [mutateRepeatedly(sample, changes)] },
        unchanged: originals.get(sample.id),
      }
    },
    verify,
  })
}
