import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** One decision in the verifier's source and the text that replaces it. */
export type Decision = { file: string; line: number; from: number; text: string; replacement: string }

/** The decisions that a mutant replaces: one, or two where a second check backs up the first. */
export type Mutant = Decision[]

export const protocolSource = join(import.meta.dirname, '../../packages/protocol/src')

/** Files that no wallet response reaches: building requests, checking merchants' queries and templates, trust lists, registrations. */
const unreachableFiles =
  /^(?:request|registration|trust|annex-c\/(?:build|encryption|sign)|cbor\/write|response\/write|template\/check|dcql\/(?:check|advise|bound|complete))/

/** Pairs of decisions that reject the same thing, so that removing one alone has no effect. */
const pairs = [
  [
    'x509/verify-signer.ts !fitsKey(algorithm, signer.key)',
    'crypto/verify-signature.ts signature.length !== algorithm.signature_bytes.get(curve)',
  ],
]

/** Mutants of every decision that a wallet response can reach: conditions forced to true and to false, lists of findings emptied. */
export function listMutants(files: RegExp = /./): Mutant[] {
  const decisions = globSync('**/*.ts', { cwd: protocolSource })
    .filter((file) => !file.endsWith('.test.ts') && !unreachableFiles.test(file))
    .toSorted()
    .flatMap(readDecisions)
  const pairedMutants = pairs.map((pair) =>
    pair.map((place) => {
      const found = decisions.find(
        ({ file, text, replacement }) => `${file} ${text}` === place && replacement === 'false',
      )
      if (found === undefined) throw new Error(`the source no longer contains the decision ${place}`)
      return found
    }),
  )
  return [...decisions.map((decision) => [decision]), ...pairedMutants].filter((mutant) =>
    mutant.some(({ file }) => files.test(file)),
  )
}

function readDecisions(file: string): Decision[] {
  const source = readFileSync(join(protocolSource, file), 'utf8')
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const decisions: Decision[] = []
  const visit = (node: ts.Node) => {
    for (const { place, replacements } of findPlaces(node)) {
      const from = place.getStart(tree)
      const line = tree.getLineAndCharacterOfPosition(from).line + 1
      const text = source.slice(from, place.end)
      for (const replacement of replacements) decisions.push({ file, line, from, text, replacement })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return decisions
}

type Place = { place: ts.Node; replacements: string[] }

function findPlaces(node: ts.Node): Place[] {
  if (ts.isIfStatement(node)) return negatable(node.expression)
  if (ts.isConditionalExpression(node)) return negatable(node.condition)
  if (isLogical(node)) return negatable(node.left, node.right)
  if (isPredicate(node)) return negatable(node.body)
  if (ts.isReturnStatement(node) && node.expression !== undefined && isNonEmptyList(node.expression)) {
    return [{ place: node.expression, replacements: ['[]'] }]
  }
  return []
}

function negatable(...places: ts.Node[]): Place[] {
  return places.map((place) => ({ place, replacements: ['true', 'false'] }))
}

function isLogical(node: ts.Node): node is ts.BinaryExpression {
  if (!ts.isBinaryExpression(node)) return false
  const operator = node.operatorToken.kind
  return operator === ts.SyntaxKind.AmpersandAmpersandToken || operator === ts.SyntaxKind.BarBarToken
}

/** The callback of `filter`, `some`, `every` or `find`. */
function isPredicate(node: ts.Node): node is ts.ArrowFunction {
  if (!ts.isArrowFunction(node) || ts.isBlock(node.body) || !ts.isCallExpression(node.parent)) return false
  const called = node.parent.expression
  return ts.isPropertyAccessExpression(called) && /^(?:filter|some|every|find)$/.test(called.name.text)
}

function isNonEmptyList(node: ts.Expression): boolean {
  return ts.isArrayLiteralExpression(node) && node.elements.length > 0
}
