import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { limitGroups } from './groups.ts'
import { renderLimits } from './render.ts'

const limits = limitGroups.flatMap((group) => group.limits)

test('docs/reference/limits.md matches the limits in the code', () => {
  expect(limits.length).toBeGreaterThan(30)
  expect(readFileSync('docs/reference/limits.md', 'utf8')).toBe(renderLimits(limitGroups))
})

test('every limit has the value of the constant that it names', async () => {
  const wrong: string[] = []
  for (const { name, file, value } of limits) {
    const exports: unknown = await import(pathToFileURL(file).href)
    if (readMember(exports, name) !== value) wrong.push(`${file}: ${name}`)
  }

  expect(wrong).toEqual([])
})

function readMember(object: unknown, path: string): unknown {
  return path.split('.').reduce((inner: unknown, key) => Object(inner)[key], object)
}
