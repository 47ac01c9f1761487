import { readFileSync } from 'node:fs'
import { checkRequirements, type TestResults } from './requirements/check-requirements.ts'
import { checkThreats } from './requirements/check-threats.ts'
import { readThreats } from './requirements/read-threats.ts'
import { readRequirementIds } from './requirements/requirement-ids.ts'

/**
 * `npm run requirements`, after the tests. Fails if a requirement of docs/internals/requirements.md that is due (not marked
 * ⏳) has no passing test, or if a mark of docs/operate/threat-model.md contradicts the test results.
 */
const results = ['tests', 'slow', 'cluster', 'e2e'].flatMap((name) => readResults(`.results/${name}.json`))
const { known, proven, missing, notDue, provenEarly, unknown } = checkRequirements(
  readFileSync('docs/internals/requirements.md', 'utf8'),
  results,
  readRequirementIds(),
)
const threats = readThreats(readFileSync('docs/operate/threat-model.md', 'utf8'), 'docs/operate')
const contradictions = checkThreats(threats, results)

for (const id of notDue) console.log(`${id} is not due yet`)
for (const id of provenEarly) console.log(`${id} is proven: remove its ⏳`)
for (const id of missing) console.log(`${id} is due, but no passing test has it in its title`)
for (const contradiction of contradictions) console.log(contradiction)
if (unknown.length > 0) console.log(`not requirements, but in test titles: ${unknown.join(', ')}`)
console.log(
  `${proven} of ${known} requirements are proven by a passing test, ${missing.length} due ones are not`,
)
console.log(`${threats.length} threats, ${contradictions.length} contradictions to the test results`)
process.exitCode = missing.length + contradictions.length === 0 ? 0 : 1

/** The browser tests run separately. Without their results, their ids are reported as missing. */
function readResults(file: string): TestResults[] {
  try {
    return [JSON.parse(readFileSync(file, 'utf8'))]
  } catch {
    // These tests have not been run.
    console.log(`${file} is missing`)
    return []
  }
}
