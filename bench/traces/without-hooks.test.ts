import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withoutHooks } from './without-hooks.ts'

test('[TRACE-4] every hook that the bench takes out of the source is in it, so that its baseline has none', () => {
  const missing = withoutHooks.filter(({ file, find }) => {
    const source = readFileSync(new URL(`../../apps/service/src/${file}`, import.meta.url), 'utf8')
    return !source.includes(find)
  })
  expect(missing).toEqual([])
  expect(new Set(withoutHooks.map(({ file }) => file)).size).toBeGreaterThan(5)
})
