import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { failureCodes } from '../../packages/sandbox/src/faults/fault.ts'
import { faultCases } from '../../packages/sandbox/test/fault-fixture.ts'
import { listMutants, type Mutant } from './list-mutants.ts'
import { tryMutants, type MutantTrial } from './try-mutants.ts'
import type { ChaosRun } from '../chaos-run.ts'

/**
 * Mutation testing of the verifier: is every check needed, and does every wallet fault test the check that it names? Each
 * mutant changes the verifier in one place and judges every fault. A check is needed if some mutant accepts faults aimed at
 * that check and no others. `lost` counts the checks without such a mutant.
 */
export const mutateVerifier: ChaosRun = async ({ n }) => {
  const mutants = sample(listMutants(), n)
  const trials = await tryMutants(mutants, availableParallelism())
  await saveTrials(trials)
  const neededChecks = findNeededChecks(trials)
  // A sample of the mutants cannot prove every check.
  const expectedCount = n === undefined ? Object.keys(failureCodes).length : neededChecks.size
  return {
    name: 'checks',
    faults: mutants.length,
    acknowledged: neededChecks.size,
    lost: expectedCount - neededChecks.size,
    duplicated: 0,
  }
}

/** The checks proven to be needed, each with the mutant that proves it. */
export function findNeededChecks(trials: readonly MutantTrial[]): Map<string, Mutant> {
  const neededChecks = new Map<string, Mutant>()
  for (const { mutant, effects } of trials) {
    // Throwing on wallet input is as bad as accepting it.
    const [check, ...others] = targetedChecks([...effects.accepted, ...effects.thrown])
    if (check !== undefined && others.length === 0 && check in failureCodes) neededChecks.set(check, mutant)
  }
  return neededChecks
}

const checkByTitle = new Map(
  faultCases.map(({ title, expected }) => [title, 'check' in expected ? expected.check : expected.outcome]),
)

function targetedChecks(titles: readonly string[]): string[] {
  return [...new Set(titles.map((title) => checkByTitle.get(title) ?? title))]
}

function sample(mutants: readonly Mutant[], n = mutants.length): Mutant[] {
  const step = Math.max(1, Math.floor(mutants.length / n))
  return mutants.filter((_, index) => index % step === 0).slice(0, n)
}

/** Written for inspection: which mutant had which effect. */
async function saveTrials(trials: readonly MutantTrial[]): Promise<void> {
  await mkdir('.results', { recursive: true })
  await writeFile('.results/checks.json', `${trials.map((each) => JSON.stringify(each)).join('\n')}\n`)
}
