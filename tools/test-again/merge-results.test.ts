import { expect, test } from 'vitest'
import { failedFiles, mergeResults, passedAgain, type SuiteResults } from './merge-results.ts'

const first = suite({ 'a.test.ts': ['passed', 'failed'], 'b.test.ts': ['passed'], 'c.test.ts': [] })

test('the files with a failed test and those that could not be loaded are run again', () => {
  expect(failedFiles(first)).toEqual(['a.test.ts', 'c.test.ts'])
})

test('a test that passes when it is run again replaces its failure and is named', () => {
  const again = suite({ 'a.test.ts': ['passed', 'passed'], 'c.test.ts': ['passed'] })
  expect(passedAgain(first, again)).toEqual(['a.test.ts > test 1'])
  expect(mergeResults(first, again)).toMatchObject({ success: true, numPassedTests: 4, numFailedTests: 0 })
})

test('a test that fails again stays failed, and so does a file that cannot be loaded', () => {
  const again = suite({ 'a.test.ts': ['passed', 'failed'], 'c.test.ts': [] })
  expect(passedAgain(first, again)).toEqual([])
  const merged = mergeResults(first, again)
  expect(merged).toMatchObject({ success: false, numPassedTests: 2, numFailedTests: 1 })
  expect(failedFiles(merged)).toEqual(['a.test.ts', 'c.test.ts'])
})

test('a file that was not run again keeps its failure', () => {
  const merged = mergeResults(first, suite({ 'c.test.ts': ['passed'] }))
  expect(merged).toMatchObject({ success: false, numFailedTests: 1 })
})

/** Results by file. A file without tests is one that could not be loaded. */
function suite(files: Record<string, ('passed' | 'failed')[]>): SuiteResults {
  const testResults = Object.entries(files).map(([name, statuses]) => ({
    name,
    status: statuses.length > 0 && statuses.every((status) => status === 'passed') ? 'passed' : 'failed',
    assertionResults: statuses.map((status, at) => ({ status, fullName: `test ${at}` })),
  }))
  const all = Object.values(files).flat()
  return {
    success: false,
    numTotalTests: all.length,
    numPassedTests: all.filter((status) => status === 'passed').length,
    numFailedTests: all.filter((status) => status === 'failed').length,
    testResults,
  }
}
