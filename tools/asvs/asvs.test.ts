import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkAsvs } from './check-asvs.ts'
import { asvsRequirements } from './requirement-numbers.ts'

const document = readFileSync('docs/operate/asvs.md', 'utf8')

test('the page about ASVS has every requirement of levels 1 and 2 once, with tests that exist', () => {
  expect(asvsRequirements).toHaveLength(253)
  expect(checkAsvs(document, 'docs/operate')).toEqual([])
})

test('a missing row, a missing test, an unknown file and a wrong id are found', () => {
  const withoutWebRtc = document.replace(/^\| V17\.1\.1.*\n/m, '')
  const withoutTest = document.replace(/^(\| V2\.3\.4 \| met \| .* \|) .* \|$/m, '$1  |')
  const renamed = document.replace('envelope.test.ts)', 'envelop.test.ts)')
  const wrongId = document.replace('[QUOTA-2]', '[GEN-2]')

  expect(checkAsvs(withoutWebRtc, 'docs/operate')).toContain('V17.1.1 is missing')
  expect(checkAsvs(withoutTest, 'docs/operate')).toContain('V2.3.4: met, but no test is named')
  expect(checkAsvs(renamed, 'docs/operate').join()).toContain('envelop.test.ts does not exist')
  expect(checkAsvs(wrongId, 'docs/operate')).toContain('V2.3.4: GEN-2 is in no title of the file before it')
})
