import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { limitGroups } from './groups.ts'
import { renderLimits } from './render.ts'

const limits = limitGroups.flatMap((group) => group.limits)

test('docs/reference/limits.md matches the limits in the code', () => {
  expect(limits.length).toBeGreaterThan(30)
  expect(readFileSync('docs/reference/limits.md', 'utf8')).toBe(renderLimits(limitGroups))
})

test('every limit names an exported constant of its file', () => {
  const wrong = limits.filter(({ name, file }) => {
    const constant = name.split('.')[0] ?? ''
    return !new RegExp(`^export const ${constant}\\b`, 'm').test(readFileSync(file, 'utf8'))
  })

  expect(wrong.map(({ name, file }) => `${file}: ${name}`)).toEqual([])
})
