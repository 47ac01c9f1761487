import type { TestResults } from './check-requirements.ts'
import type { Threat, ThreatProof } from './read-threats.ts'
import { titleIds } from './title-ids.ts'

type TestResult = { status: string; fullName: string }

/** Compares the marks of the threat model with the test results and returns the contradictions. */
export function checkThreats(threats: readonly Threat[], results: readonly TestResults[]): string[] {
  const files = results.flatMap(({ testResults }) => testResults)
  const testsOf = (file: string) =>
    files.filter(({ name }) => name.endsWith(`/${file}`)).flatMap(({ assertionResults }) => assertionResults)
  return threats.flatMap(({ number, mark, proofs, strayIds }) =>
    [
      ...checkMark(mark, proofs),
      ...strayIds.map((id) => `${id} must be in brackets and follow a test file`),
      ...proofs.flatMap((proof) => checkProof(proof, testsOf(proof.file))),
    ].map((problem) => `threat ${number}: ${problem}`),
  )
}

function checkMark(mark: Threat['mark'], proofs: readonly ThreatProof[]): string[] {
  if (mark === undefined) return ['unknown mark']
  const needsProof = mark === 'tested' || mark === 'partly tested'
  if (needsProof && proofs.length === 0) return [`marked "${mark}", but names no test file`]
  if (!needsProof && proofs.length > 0) return [`marked "${mark}", but names a test file`]
  return []
}

function checkProof({ file, ids }: ThreatProof, tests: readonly TestResult[]): string[] {
  if (!tests.some(({ status }) => status === 'passed')) return [`no test of ${file} passed`]
  if (tests.some(({ status }) => status === 'failed')) return [`a test of ${file} failed`]
  return ids
    .filter((id) => {
      const carriers = tests.filter(({ fullName }) => titleIds(fullName).includes(id))
      return carriers.length === 0 || carriers.some(({ status }) => status !== 'passed')
    })
    .map((id) => `${file} does not prove ${id}`)
}
