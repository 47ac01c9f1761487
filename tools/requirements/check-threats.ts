import type { TestResults } from './check-requirements.ts'
import type { Threat } from './read-threats.ts'
import { titleIds } from './title-ids.ts'

type TestResult = { status: string; fullName: string }

/** Compares the marks of the threat model with the test results and returns the contradictions. */
export function checkThreats(threats: readonly Threat[], results: readonly TestResults[]): string[] {
  const files = results.flatMap(({ testResults }) => testResults)
  const all = files.flatMap(({ assertionResults }) => assertionResults)
  const testsIn = (file: string) =>
    files.filter(({ name }) => name.endsWith(`/${file}`)).flatMap(({ assertionResults }) => assertionResults)
  const testsOf = (id: string) => all.filter(({ fullName }) => titleIds(fullName).includes(id))
  return threats.flatMap((threat) =>
    [
      ...checkMark(threat),
      ...threat.ids.flatMap((id) => checkTests(id, testsOf(id))),
      ...threat.files.flatMap((file) => checkTests(file, testsIn(file))),
    ].map((problem) => `threat ${threat.number}: ${problem}`),
  )
}

function checkMark({ mark, ids, files }: Threat): string[] {
  if (mark === undefined) return ['unknown mark']
  const needsTest = mark === 'tested' || mark === 'partly tested'
  const named = ids.length + files.length
  if (needsTest && named === 0) return [`marked "${mark}", but names no test`]
  if (!needsTest && named > 0) return [`marked "${mark}", but names a test`]
  return []
}

function checkTests(name: string, tests: readonly TestResult[]): string[] {
  if (!tests.some(({ status }) => status === 'passed')) return [`no test of ${name} passed`]
  return tests.some(({ status }) => status === 'failed') ? [`a test of ${name} failed`] : []
}
