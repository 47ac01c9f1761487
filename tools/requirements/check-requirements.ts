import { titleIds } from './title-ids.ts'

/** The part of the output of vitest's JSON reporter that is used here. */
export type TestResults = {
  testResults: { name: string; assertionResults: { status: string; fullName: string }[] }[]
}

type RequirementsReport = {
  known: number
  proven: number
  /** Due, but without a passing test. */
  missing: string[]
  /** Without a passing test, and not due yet. */
  notDue: string[]
  /** Proven, but still marked as not due. */
  provenEarly: string[]
  /** In a test title, but not a requirement. */
  unknown: string[]
}

const requirementLine = /^- ([A-Z]+-\d+) (⏳)?/gmu

/**
 * Compares the requirements with the test results. An id is proven if a test with it in its title passed and no such test
 * failed. `otherIds` are ids outside the document that titles may have.
 */
export function checkRequirements(
  document: string,
  results: readonly TestResults[],
  otherIds: ReadonlySet<string> = new Set(),
): RequirementsReport {
  const passed = new Set<string>()
  const failed = new Set<string>()
  for (const { testResults } of results) {
    for (const { status, fullName } of testResults.flatMap((file) => file.assertionResults)) {
      for (const id of titleIds(fullName)) (status === 'passed' ? passed : failed).add(id)
    }
  }
  const proven = passed.difference(failed)
  const required = [...document.matchAll(requirementLine)].map(([, id = '', mark]) => ({
    id,
    due: mark === undefined,
  }))
  const open = required.filter(({ id }) => !proven.has(id))
  const ids = new Set(required.map(({ id }) => id)).union(otherIds)
  return {
    known: required.length,
    proven: required.length - open.length,
    missing: open.filter(({ due }) => due).map(({ id }) => id),
    notDue: open.filter(({ due }) => !due).map(({ id }) => id),
    provenEarly: required.filter(({ id, due }) => !due && proven.has(id)).map(({ id }) => id),
    unknown: [...passed.union(failed).difference(ids)],
  }
}
