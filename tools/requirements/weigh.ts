/** What vitest's JSON reporter writes, as far as it is looked at. */
export type Results = { testResults: { assertionResults: { status: string; fullName: string }[] }[] }

type Weighed = {
  known: number
  proven: number
  /** Due, and without a passing test. */
  missing: string[]
  /** Without one, and not due yet. */
  later: string[]
  /** Proven, and still marked as not due. */
  early: string[]
  /** Carried by a test, and not in the document. */
  unknown: string[]
}

const line = /^- ([A-Z]+-\d+) (⏳)?/gmu
const inTitle = /\[([A-Z]+-\d+(?:[, ]+[A-Z]+-\d+)*)\]/g

/** An id is proven when a test that carries it passed and none that carries it failed. */
export function weighRequirements(document: string, results: readonly Results[]): Weighed {
  const passed = new Set<string>()
  const failed = new Set<string>()
  for (const { testResults } of results) {
    for (const { status, fullName } of testResults.flatMap((file) => file.assertionResults)) {
      for (const id of idsIn(fullName)) (status === 'passed' ? passed : failed).add(id)
    }
  }
  const proven = passed.difference(failed)
  const required = [...document.matchAll(line)].map(([, id = '', mark]) => ({ id, due: mark === undefined }))
  const open = required.filter(({ id }) => !proven.has(id))
  const ids = new Set(required.map(({ id }) => id))
  return {
    known: required.length,
    proven: required.length - open.length,
    missing: open.filter(({ due }) => due).map(({ id }) => id),
    later: open.filter(({ due }) => !due).map(({ id }) => id),
    early: required.filter(({ id, due }) => !due && proven.has(id)).map(({ id }) => id),
    unknown: [...passed.union(failed).difference(ids)],
  }
}

function idsIn(title: string): string[] {
  return [...title.matchAll(inTitle)].flatMap(([, ids = '']) => ids.split(/[, ]+/))
}
