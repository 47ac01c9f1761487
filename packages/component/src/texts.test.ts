import { expect, test } from 'vitest'
import { session } from '../test/session.ts'
import { englishTexts, fillIn, loadTexts, mergeTexts } from './texts.ts'

test('another language is loaded, and English stays where a text is missing', async () => {
  const loaded = await loadTexts(session({ lang: 'de' }), {
    readTexts: async (lang) => ({ retry: `Erneut versuchen (${lang})`, back: 7 }),
  })

  expect(loaded.lang).toBe('de')
  expect(loaded.texts.retry).toBe('Erneut versuchen (de)')
  expect(loaded.texts.back).toBe('Back to {merchant}')
})

test('without the texts of its language it speaks English, and says so', async () => {
  const readTexts = async (): Promise<unknown> => {
    throw new TypeError('Failed to fetch')
  }

  expect(await loadTexts(session({ lang: 'de' }), { readTexts })).toBe(englishTexts)
  expect(mergeTexts(null)).toEqual(englishTexts.texts)
})

test('[DASH-12] a value is inserted as it is', () => {
  expect(fillIn('Back to {merchant}', { merchant: '$& {purpose} <b>' })).toBe('Back to $& {purpose} <b>')
  expect(fillIn('{unknown}', {})).toBe('{unknown}')
})
