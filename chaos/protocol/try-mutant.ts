import {
  respondWithFault,
  failedChecks,
  faultCases,
  type FaultCase,
} from '../../packages/sandbox/test/fault-fixture.ts'
import type { Verdict } from '../../packages/sandbox/test/protocol-session.ts'
import type { Mutant } from './list-mutants.ts'
import { loadMutant } from './load-mutant.ts'

/** The faults, by title, that a mutant accepts, throws at, or refuses by another check than the verifier does. */
export type Effects = { accepted: string[]; thrown: string[]; refused_otherwise: string[] }

type Effect = keyof Effects | 'refused'

/** The answers are made once and judged by every mutant. */
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
  // What is no answer of the session must not get as far as an outcome.
  if (expected.outcome === 'not_an_answer') return verdict.kind === 'malformed' ? 'refused' : 'accepted'
  if ('code' in expected) {
    return verdict.kind === 'error' && verdict.error.code === expected.code ? 'refused' : 'refused_otherwise'
  }
  if (verdict.kind !== 'outcome') return 'refused_otherwise'
  if (verdict.outcome.status === 'completed') return 'accepted'
  return failedChecks(verdict).includes(expected.check) ? 'refused' : 'refused_otherwise'
}

/** The verifier never throws at what a wallet sent; a mutant may. */
function toThrown(): Effect {
  return 'thrown'
}
