import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { failureCodes } from '../../packages/sandbox/src/faults/fault.ts'
import { faultCases } from '../../packages/sandbox/test/fault-fixture.ts'
import { listMutants, type Mutant } from './list-mutants.ts'
import { tryMutants, type MutantTrial } from './try-mutants.ts'
import type { ChaosRun } from '../chaos-run.ts'

/**
 * Is every check of the verifier needed, and does every fault test the check it names? The verifier is changed in one place
 * at a time, and each changed copy judges all faults. A check is needed when one change lets a fault aimed at it through
 * and no other. `lost` counts the checks for which no such change was found.
 */
export const mutateVerifier: ChaosRun = async ({ n }) => {
  const mutants = sample(listMutants(), n)
  const trials = await tryMutants(mutants, availableParallelism())
  await saveTrials(trials)
  const neededChecks = findNeededChecks(trials)
  // A sample cannot prove all of them.
  const expectedCount = n === undefined ? Object.keys(failureCodes).length : neededChecks.size
  return {
    name: 'checks',
    faults: mutants.length,
    acknowledged: neededChecks.size,
    lost: expectedCount - neededChecks.size,
    duplicated: 0,
  }
}

/** The checks that are proven needed, each with the change that proves it. */
export function findNeededChecks(trials: readonly MutantTrial[]): Map<string, Mutant> {
  const neededChecks = new Map<string, Mutant>()
  for (const { mutant, effects } of trials) {
    // To throw at what a wallet sent is as bad as to accept it.
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

/** For whoever wants to see which change did what. */
async function saveTrials(trials: readonly MutantTrial[]): Promise<void> {
  await mkdir('.results', { recursive: true })
  await writeFile('.results/checks.json', `${trials.map((each) => JSON.stringify(each)).join('\n')}\n`)
}
