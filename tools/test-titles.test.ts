import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readRequirementIds } from './requirements/requirement-ids.ts'
import { titleIds } from './requirements/title-ids.ts'
import { findTitleProblems } from './find-title-problems.ts'

const known = readRequirementIds()

const files = globSync(
  ['{apps,packages}/*/{src,test}/**/*.test.{ts,tsx}', '{chaos,e2e,examples,tools}/**/*.test.ts'],
  { exclude: ['**/node_modules/**', '**/dist/**', 'tools/requirements/**', 'tools/test-titles.test.ts'] },
)

test('titles name requirements as [A-1] [A-2], and only ids that exist', () => {
  const problems = files.flatMap((file) =>
    findTitleProblems(readFileSync(file, 'utf8'), known).map((problem) => `${file}: ${problem}`),
  )

  expect(files.length).toBeGreaterThan(200)
  expect(problems).toEqual([])
})

test('every requirement is in the title of a test', () => {
  const titled = new Set(files.flatMap((file) => titleIds(readFileSync(file, 'utf8'))))

  expect([...known.difference(titled)]).toEqual([])
})

test.each([
  ["test('[IDEM-1] [IDEM-2] holds', run)", []],
  ["test.each(cases)('[OID4VP-1] $title', run)", []],
  ["test('[IDEM-1, IDEM-2] holds', run)", ['[IDEM-1, IDEM-2] must be one pair of brackets per id']],
  ["test('[IDEM-1][IDEM-2] holds', run)", ['[IDEM-2] must start the title or follow another id and a space']],
  ["test('holds [IDEM-1]', run)", ['[IDEM-1] must start the title or follow another id and a space']],
  ["test('[IDEM-999] holds', run)", ['IDEM-999 is not a requirement']],
  ["describe('line 17: holds', run)", ['line 17 must be written as [OID4VP-17]']],
])('the title check of %s', (source, problems) => {
  expect(findTitleProblems(source, known)).toEqual(problems)
})
