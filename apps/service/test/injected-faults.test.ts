import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sourceFaults } from './injected-faults.ts'

test.each(Object.entries(sourceFaults))('%s: its text is in its file exactly once', (_, replacements) => {
  for (const { file, find } of replacements) {
    const source = readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8')
    expect([file, find, source.split(find).length - 1]).toEqual([file, find, 1])
  }
})
