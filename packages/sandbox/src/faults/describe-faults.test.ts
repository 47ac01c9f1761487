import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { faultsMarkdown } from './describe-faults.ts'
import { faults } from './list-faults.ts'

test('docs/faults.md is the table of the faults', () => {
  const page = readFileSync(new URL('../../../../docs/faults.md', import.meta.url), 'utf8')

  expect(page).toBe(faultsMarkdown(faults))
})
