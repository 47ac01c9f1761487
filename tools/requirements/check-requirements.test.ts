import { expect, test } from 'vitest'
import { checkRequirements } from './check-requirements.ts'

const document = `
- GEN-1 One.
- GEN-2 ◆ Two.
- GEN-3 Three.
- GEN-4 ⏳ Four.
`
const testResults = (...tests: [status: string, fullName: string][]) => ({
  testResults: [{ assertionResults: tests.map(([status, fullName]) => ({ status, fullName })) }],
})

test('an id that is due counts as missing without a passing test, with a failed or skipped one, or with one of several failed', () => {
  const report = checkRequirements(document, [
    testResults(
      ['passed', '[GEN-1] holds'],
      ['failed', '[GEN-1] under load'],
      ['passed', '[GEN-2, GEN-9] hold'],
    ),
    testResults(['skipped', '[GEN-3] is skipped']),
  ])

  expect(report).toEqual({
    known: 4,
    proven: 1,
    missing: ['GEN-1', 'GEN-3'],
    later: ['GEN-4'],
    early: [],
    unknown: ['GEN-9'],
  })
})

test('nothing is missing once every id that is due has its test', () => {
  const all = [
    testResults(['passed', '[GEN-1] [GEN-2] [GEN-4] hold']),
    testResults(['passed', 'in a browser > [GEN-3] holds']),
  ]

  expect(checkRequirements(document, all)).toMatchObject({ missing: [], early: ['GEN-4'] })
  expect(checkRequirements(document, []).missing).toEqual(['GEN-1', 'GEN-2', 'GEN-3'])
})
