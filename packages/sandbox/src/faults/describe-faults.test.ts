import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { faultsMarkdown } from './describe-faults.ts'
import { faults } from './list-faults.ts'

test('docs/reference/faults.md matches the list of faults', () => {
  const page = readFileSync(new URL('../../../../docs/reference/faults.md', import.meta.url), 'utf8')

  expect(page).toBe(faultsMarkdown(faults))
})
