import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { failureCodes } from '../packages/sandbox/src/faults/fault.ts'
import { faultCases } from '../packages/sandbox/test/fault-fixture.ts'
import { listMutants, type Mutant } from './checks/list-mutants.ts'
import { tryMutants, type Tried } from './checks/try-mutants.ts'
import type { Chaos } from './run.ts'

/**
 * Is every check of the verifier needed, and does every fault test the check it names? The verifier is changed in one place
 * at a time, and each changed copy judges all faults. A check is needed when one change lets a fault aimed at it through
 * and no other. `lost` counts the checks for which no such change was found.
 */
export const checks: Chaos = async ({ n }) => {
  const mutants = sample(listMutants(), n)
  const tried = await tryMutants(mutants, availableParallelism())
  await keep(tried)
  const needed = provenBy(tried)
  // A sample cannot prove all of them.
  const aimedAt = n === undefined ? Object.keys(failureCodes).length : needed.size
  return {
    name: 'checks',
    faults: mutants.length,
    acknowledged: needed.size,
    lost: aimedAt - needed.size,
    duplicated: 0,
  }
}

/** The checks that are proven needed, each with the change that proves it. */
export function provenBy(tried: readonly Tried[]): Map<string, Mutant> {
  const proven = new Map<string, Mutant>()
  for (const { mutant, effects } of tried) {
    // To throw at what a wallet sent is as bad as to accept it.
    const [check, ...others] = aims([...effects.accepted, ...effects.thrown])
    if (check !== undefined && others.length === 0 && check in failureCodes) proven.set(check, mutant)
  }
  return proven
}

const aimOf = new Map(
  faultCases.map(({ title, expected }) => [title, 'check' in expected ? expected.check : expected.outcome]),
)

function aims(titles: readonly string[]): string[] {
  return [...new Set(titles.map((title) => aimOf.get(title) ?? title))]
}

function sample(mutants: readonly Mutant[], n = mutants.length): Mutant[] {
  const step = Math.max(1, Math.floor(mutants.length / n))
  return mutants.filter((_, index) => index % step === 0).slice(0, n)
}

/** For whoever wants to see which change did what. */
async function keep(tried: readonly Tried[]): Promise<void> {
  await mkdir('.results', { recursive: true })
  await writeFile('.results/checks.json', `${tried.map((each) => JSON.stringify(each)).join('\n')}\n`)
}
