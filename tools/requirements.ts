import { readFileSync } from 'node:fs'

/** `npm run requirements`: which ids of docs/requirements.md a passing test carries in its title, and which none does. */
const resultsFile = '.results/tests.json'
const line = /^- ([A-Z]+-\d+) (⏳)?/gmu

type Results = { testResults: { assertionResults: { status: string; fullName: string }[] }[] }

const due = [...readFileSync('docs/requirements.md', 'utf8').matchAll(line)].map(([, id, later]) => ({
  id: id ?? '',
  later: later !== undefined,
}))
const proven = provenIds()
const open = due.filter(({ id }) => !proven.has(id))

for (const { id, later } of open) console.log(later ? `${id} (not due yet)` : id)
console.log(`${due.length - open.length} of ${due.length} requirements are carried by a passing test`)
const unknown = [...proven].filter((id) => !due.some((requirement) => requirement.id === id))
if (unknown.length > 0) console.log(`carried by tests but not in the document: ${unknown.join(', ')}`)

/** An id counts when a test that carries it passed and none that carries it failed. */
function provenIds(): Set<string> {
  const results: Results = JSON.parse(readFileSync(resultsFile, 'utf8'))
  const passed = new Set<string>()
  const failed = new Set<string>()
  for (const { status, fullName } of results.testResults.flatMap((file) => file.assertionResults)) {
    const into = status === 'passed' ? passed : failed
    for (const [, ids] of fullName.matchAll(/\[([A-Z]+-\d+(?:[, ]+[A-Z]+-\d+)*)\]/g)) {
      for (const id of (ids ?? '').split(/[, ]+/)) into.add(id)
    }
  }
  return passed.difference(failed)
}
