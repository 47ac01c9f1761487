import {
  respondWithFault,
  failedChecks,
  faultCases,
  type FaultCase,
} from '../../packages/sandbox/test/fault-fixture.ts'
import type { Verdict } from '../../packages/sandbox/test/protocol-verification.ts'
import type { Mutant } from './list-mutants.ts'
import { loadMutant } from './load-mutant.ts'

/** The titles of the faults that a mutant accepts, throws on, or rejects with a different check than the verifier does. */
export type Effects = { accepted: string[]; thrown: string[]; refused_otherwise: string[] }

type Effect = keyof Effects | 'refused'

/** The wallet responses are created once and judged by every mutant. */
const judgesByCase = new Map(faultCases.map((each) => [each, respondWithFault(each)]))

export async function tryMutant(mutant: Mutant): Promise<Effects> {
  await using loaded = await loadMutant(mutant)
  const effects: Effects = { accepted: [], thrown: [], refused_otherwise: [] }
  for (const [faultCase, committed] of judgesByCase) {
    const judge = await committed
    const effect = await judge(loaded.verifier).then((verdict) => effectOn(faultCase, verdict), toThrown)
    if (effect !== 'refused') effects[effect].push(faultCase.title)
  }
  return effects
}

function effectOn({ expected }: FaultCase, verdict: Verdict): Effect {
  // A response that does not belong to the verification must not lead to an outcome.
  if (expected.outcome === 'rejected') return verdict.kind === 'malformed' ? 'refused' : 'accepted'
  if ('code' in expected) {
    return verdict.kind === 'error' && verdict.error.code === expected.code ? 'refused' : 'refused_otherwise'
  }
  if (verdict.kind !== 'outcome') return 'refused_otherwise'
  if (verdict.outcome.status === 'completed') return 'accepted'
  return failedChecks(verdict).includes(expected.check) ? 'refused' : 'refused_otherwise'
}

/** The verifier never throws on wallet input, but a mutant may. */
function toThrown(): Effect {
  return 'thrown'
}
