/** What vitest's JSON reporter writes, as far as it is looked at. */
export type TestResults = { testResults: { assertionResults: { status: string; fullName: string }[] }[] }

type RequirementsReport = {
  known: number
  proven: number
  /** Due, and without a passing test. */
  missing: string[]
  /** Without one, and not due yet. */
  notDue: string[]
  /** Proven, and still marked as not due. */
  provenEarly: string[]
  /** Carried by a test, and not in the document. */
  unknown: string[]
}

const requirementLine = /^- ([A-Z]+-\d+) (⏳)?/gmu
const idsPattern = /\[([A-Z]+-\d+(?:[, ]+[A-Z]+-\d+)*)\]/g

/** An id is proven when a test that carries it passed and none that carries it failed. */
export function checkRequirements(document: string, results: readonly TestResults[]): RequirementsReport {
  const passed = new Set<string>()
  const failed = new Set<string>()
  for (const { testResults } of results) {
    for (const { status, fullName } of testResults.flatMap((file) => file.assertionResults)) {
      for (const id of idsIn(fullName)) (status === 'passed' ? passed : failed).add(id)
    }
  }
  const proven = passed.difference(failed)
  const required = [...document.matchAll(requirementLine)].map(([, id = '', mark]) => ({
    id,
    due: mark === undefined,
  }))
  const open = required.filter(({ id }) => !proven.has(id))
  const ids = new Set(required.map(({ id }) => id))
  return {
    known: required.length,
    proven: required.length - open.length,
    missing: open.filter(({ due }) => due).map(({ id }) => id),
    notDue: open.filter(({ due }) => !due).map(({ id }) => id),
    provenEarly: required.filter(({ id, due }) => !due && proven.has(id)).map(({ id }) => id),
    unknown: [...passed.union(failed).difference(ids)],
  }
}

function idsIn(title: string): string[] {
  return [...title.matchAll(idsPattern)].flatMap(([, ids = '']) => ids.split(/[, ]+/))
}
