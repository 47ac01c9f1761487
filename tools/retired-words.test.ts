import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'

/** What the glossary of STYLE.md retired: a name that needs one of these words has a better one. */
const retired = new Set(
  'answer answers answered lane lanes lapsed moment moments revocable settle settled spool tick ticks way ways'.split(
    ' ',
  ),
)
/** Names that are not ours: of Node, and of the attributes of a promise. */
const foreign = new Set(['nextTick', 'allSettled'])

test('no name has a word that the glossary retired', () => {
  const files = globSync(
    [
      'apps/service/{src,test}/**/*.ts',
      'packages/{contract,evidence,protocol,sandbox}/{src,test}/**/*.ts',
      '{bench,chaos,tools}/**/*.ts',
    ],
    { exclude: ['**/node_modules/**', '**/dist/**'] },
  )

  expect(files.length).toBeGreaterThan(1000)
  expect(
    files.flatMap((file) => findRetired(readFileSync(file, 'utf8')).map((name) => `${file}: ${name}`)),
  ).toEqual([])
})

test('the check reads names of every kind, and neither texts nor comments', () => {
  const source = `
    // the way of an answer
    type WalletAnswer = { lapsed_at: string }
    const findLane = (ticks: number) => 'a moment'`

  expect(findRetired(source)).toEqual(['WalletAnswer', 'lapsed_at', 'findLane', 'ticks'])
})

function findRetired(source: string): string[] {
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && isRetired(node.text)) names.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest))
  return names
}

function isRetired(name: string): boolean {
  const words = name.split(/_|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase())
  return !foreign.has(name) && words.some((word) => retired.has(word))
}
