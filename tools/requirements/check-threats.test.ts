import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { checkThreats } from './check-threats.ts'
import { readThreats } from './read-threats.ts'
import { readRequirementIds } from './requirement-ids.ts'

const document = 'docs/operate/threat-model.md'
const threats = readThreats(readFileSync(document, 'utf8'), posix.dirname(document))

test('every threat has a known mark, and its test files and ids exist', () => {
  const known = readRequirementIds()
  const problems = threats.flatMap(({ number, mark, ids, files }) => [
    ...(mark === undefined ? [`threat ${number}: unknown mark`] : []),
    ...ids.filter((id) => !known.has(id)).map((id) => `threat ${number}: ${id} is not a requirement`),
    ...files.filter((file) => !existsSync(file)).map((file) => `threat ${number}: ${file} does not exist`),
  ])

  expect(threats.map(({ number }) => number)).toEqual(Array.from(threats, (_, index) => index + 1))
  expect(threats.length).toBeGreaterThan(45)
  expect(problems).toEqual([])
})

const sample = readThreats(
  [
    '| 1 | H | a | b | tested: A-1, A-2, [b.test.ts](../../apps/b.test.ts) |',
    '| 2 | any | a | b | partly tested: [b.test.ts](../../apps/b.test.ts). The rest is missing |',
    '| 3 | M, N | a | b | not tested |',
    '| 4 | M | a | b | accepted |',
  ].join('\n'),
  'docs/operate',
)
const results = (tests: Record<string, [status: string, fullName: string][]>) => [
  {
    testResults: Object.entries(tests).map(([file, all]) => ({
      name: `/repository/${file}`,
      assertionResults: all.map(([status, fullName]) => ({ status, fullName })),
    })),
  },
]

test('a threat marked as tested whose tests passed is accepted', () => {
  expect(
    checkThreats(
      sample,
      results({
        'apps/a.test.ts': [['passed', '[A-1] [A-2] holds']],
        'apps/b.test.ts': [
          ['passed', 'holds'],
          ['skipped', 'is skipped'],
        ],
      }),
    ),
  ).toEqual([])
})

test('a failed, skipped or missing test of a threat is reported', () => {
  expect(
    checkThreats(
      sample,
      results({
        'apps/a.test.ts': [
          ['passed', '[A-1] holds'],
          ['skipped', '[A-2] is skipped'],
        ],
        'apps/b.test.ts': [
          ['passed', 'holds'],
          ['failed', 'fails'],
        ],
      }),
    ),
  ).toEqual([
    'threat 1: no test of A-2 passed',
    'threat 1: a test of apps/b.test.ts failed',
    'threat 2: a test of apps/b.test.ts failed',
  ])
  expect(checkThreats(sample.slice(1, 2), [])).toEqual(['threat 2: no test of apps/b.test.ts passed'])
})

test('a mark that contradicts its row is reported', () => {
  const wrong = readThreats(
    [
      '| 1 | H | a | b | shown: [a.test.ts](../../apps/a.test.ts) |',
      '| 2 | H | a | b | tested: it holds |',
      '| 3 | H | a | b | accepted: [a.test.ts](../../apps/a.test.ts) |',
    ].join('\n'),
    'docs/operate',
  )

  expect(checkThreats(wrong, results({ 'apps/a.test.ts': [['passed', 'holds']] }))).toEqual([
    'threat 1: unknown mark',
    'threat 2: marked "tested", but names no test',
    'threat 3: marked "accepted", but names a test',
  ])
})
