import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { failedFiles, mergeResults, passedAgain, type SuiteResults } from './test-again/merge-results.ts'

/**
 * `npm run test:again`, after tests that failed: runs the files that failed once more, one at a time with nothing beside
 * them. On a machine whose disk stalls for seconds, a test can exceed a time limit without a fault of the product. What
 * passes now counts as passed and is named; a test that fails alone as well stays failed. If many files fail, something is
 * wrong with more than the timing, and nothing is run again.
 */
const suites = [
  { results: '.results/tests.json', config: 'vitest.config.ts' },
  { results: '.results/slow.json', config: 'vitest.config.ts' },
  { results: '.results/cluster.json', config: 'chaos/cluster/vitest.config.ts' },
  { results: '.results/e2e.json', config: 'e2e/vitest.config.ts' },
]
const maxFiles = 10

const ran = suites.filter(({ results }) => existsSync(results))
const failures = ran.flatMap(({ results, config }) =>
  failedFiles(read(results)).map((file) => ({ results, config, file })),
)
let failed = failures.length
if (failed === 0) console.log('No file failed, so the error was outside the tests')
else if (failed > maxFiles) console.log(`${failed} files failed; more than ${maxFiles} are not run again`)
else for (const failure of failures) if (runAgain(failure)) failed -= 1
process.exitCode = failures.length > 0 && failed === 0 ? 0 : 1

/** Whether the file passes alone. The run overwrites the results of the whole suite, so both are joined. */
function runAgain({ results, config, file }: (typeof failures)[number]): boolean {
  console.log(`\nRunning ${file} again, alone`)
  const first = read(results)
  const options = ['--config', config, '--outputFile.json', resolve(results), '--maxWorkers', '1']
  const { status } = spawnSync('vitest', ['run', ...options, file], { stdio: 'inherit' })
  const again = read(results)
  for (const title of passedAgain(first, again)) console.log(`Failed beside others, passed alone: ${title}`)
  writeFileSync(results, JSON.stringify(mergeResults(first, again)))
  return status === 0
}

function read(file: string): SuiteResults {
  return JSON.parse(readFileSync(file, 'utf8'))
}
