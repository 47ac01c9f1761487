import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { matchesOutput } from './read-commands.ts'

test('output matches line by line, with gaps only where the page has them', () => {
  expect(matchesOutput('a 12 b\n  c (x)\n', 'a … b\nc (x)\n')).toBe(true)
  expect(matchesOutput('a 12 b\n', 'a … b\nc\n')).toBe(false)
  expect(matchesOutput('a 12 bc\n', 'a … b\n')).toBe(false)
  expect(matchesOutput('axb\n', 'a.b\n')).toBe(false)
  expect(matchesOutput('', 'ready\n')).toBe(false)
})

test('every alert that an incident page names exists, and every page that an alert names', () => {
  const alerts = readFileSync('deploy/alerts.yaml', 'utf8')
  const known = new Set([...alerts.matchAll(/alert: (\w+)/g)].map(([, name]) => name))
  const pages = globSync('docs/operate/incidents/*.md')
  const named = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/`((?:[A-Z][a-z]+){2,})`/g)].map(([, name]) => name),
  )
  const referred = [...alerts.matchAll(/docs\/operate\/incidents\/[a-z-]+\.md/g)].map(([page]) => page)

  expect(pages).toHaveLength(14)
  expect(new Set(named).size).toBeGreaterThan(6)
  expect(named.filter((name) => !known.has(name))).toEqual([])
  expect(referred.length).toBeGreaterThan(6)
  expect(referred.filter((page) => !pages.includes(page))).toEqual([])
})
