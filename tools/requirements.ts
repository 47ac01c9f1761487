import { readFileSync } from 'node:fs'
import { checkRequirements, type TestResults } from './requirements/check-requirements.ts'

/**
 * `npm run requirements`, after the tests: which ids of docs/internals/requirements.md a passing test carries in its title. Fails when one
 * that is due has none; ⏳ behind an id in the document, and nothing else, says that it is not due yet.
 */
const results = ['.results/tests.json', '.results/e2e.json'].flatMap(readResults)
const { known, proven, missing, notDue, provenEarly, unknown } = checkRequirements(
  readFileSync('docs/internals/requirements.md', 'utf8'),
  results,
)

for (const id of notDue) console.log(`${id} (not due yet)`)
for (const id of provenEarly) console.log(`${id} is proven: its ⏳ can go`)
for (const id of missing) console.log(`${id} is due, and no passing test carries it`)
if (unknown.length > 0) console.log(`carried by tests but not in the document: ${unknown.join(', ')}`)
console.log(
  `${proven} of ${known} requirements are carried by a passing test, ${missing.length} that are due are not`,
)
process.exitCode = missing.length === 0 ? 0 : 1

/** The browser's tests are run apart; where they were not, their ids are missing and said to be. */
function readResults(file: string): TestResults[] {
  try {
    return [JSON.parse(readFileSync(file, 'utf8'))]
  } catch {
    // Not there: this half of the tests has not been run.
    console.log(`${file} is not there`)
    return []
  }
}
