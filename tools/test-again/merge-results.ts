/** The part of the output of vitest's JSON reporter that is used here. */
export type SuiteResults = {
  success: boolean
  numTotalTests: number
  numPassedTests: number
  numFailedTests: number
  testResults: FileResults[]
}

type FileResults = {
  /** The path of the file. */
  name: string
  status: string
  assertionResults: { status: string; fullName: string }[]
}

/** The files that did not pass, with those that could not be loaded. */
export function failedFiles({ testResults }: SuiteResults): string[] {
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => name)
}

/** The titles of the tests that failed in `first` and passed in `again`. */
export function passedAgain(first: SuiteResults, again: SuiteResults): string[] {
  const passed = new Set(titles(again, 'passed'))
  return titles(first, 'failed').filter((title) => passed.has(title))
}

/** `first` with the results of the files that were run again in place of their earlier ones. */
export function mergeResults(first: SuiteResults, again: SuiteResults): SuiteResults {
  const repeated = new Map(again.testResults.map((file) => [file.name, file]))
  const testResults = first.testResults.map((file) => repeated.get(file.name) ?? file)
  const merged = { ...first, testResults }
  return {
    ...merged,
    success: failedFiles(merged).length === 0,
    numPassedTests: titles(merged, 'passed').length,
    numFailedTests: titles(merged, 'failed').length,
  }
}

function titles({ testResults }: SuiteResults, wanted: string): string[] {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(({ status }) => status === wanted).map(({ fullName }) => `${name} > ${fullName}`),
  )
}
