import { expect, test } from 'vitest'
import { checkRequirements } from './check-requirements.ts'

const document = `
- GEN-1 One.
- GEN-2 ◆ Two.
- GEN-3 Three.
- GEN-4 ⏳ Four.
`
const testResults = (...tests: [status: string, fullName: string][]) => ({
  testResults: [
    { name: '/a.test.ts', assertionResults: tests.map(([status, fullName]) => ({ status, fullName })) },
  ],
})

test('an id that is due is missing without a passing test, or if any test with it failed or was skipped', () => {
  const report = checkRequirements(document, [
    testResults(
      ['passed', '[GEN-1] holds'],
      ['failed', '[GEN-1] under load'],
      ['passed', '[GEN-2] [GEN-9] hold'],
    ),
    testResults(['skipped', '[GEN-3] is skipped']),
  ])

  expect(report).toEqual({
    known: 4,
    proven: 1,
    missing: ['GEN-1', 'GEN-3'],
    notDue: ['GEN-4'],
    provenEarly: [],
    unknown: ['GEN-9'],
  })
})

test('nothing is missing if every id that is due has a passing test', () => {
  const all = [
    testResults(['passed', '[GEN-1] [GEN-2] [GEN-4] hold']),
    testResults(['passed', 'in a browser > [GEN-3] holds']),
  ]

  expect(checkRequirements(document, all)).toMatchObject({ missing: [], provenEarly: ['GEN-4'] })
  expect(checkRequirements(document, []).missing).toEqual(['GEN-1', 'GEN-2', 'GEN-3'])
})
