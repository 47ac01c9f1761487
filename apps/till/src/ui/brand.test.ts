import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { answerColours, looksLikeAnswer } from './brand.ts'

test('a colour that could be taken for Yes or No from afar is recognised', () => {
  expect(
    ['#00534f', '#00695c', '#1c6b44', '#ff6a3d', '#ff6600', '#e2001a'].filter(looksLikeAnswer),
  ).toHaveLength(6)
  expect(['#7a1f3d', '#2f4a9e', '#ffe600', '#000000', '#ffffff', undefined].filter(looksLikeAnswer)).toEqual(
    [],
  )
  expect(looksLikeAnswer('red; } body { display: none')).toBe(false)
})

test('the colours of the answers are those of the style sheet', () => {
  const css = readFileSync(new URL('../../../../packages/tokens/src/tokens.css', import.meta.url), 'utf8')
  for (const [word, colour] of Object.entries(answerColours)) expect(css).toContain(`--${word}: ${colour};`)
})
