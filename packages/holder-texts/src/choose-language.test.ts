import { expect, test } from 'vitest'
import { chooseLanguage } from './choose-language.ts'
import { listLanguages } from './language-codes.ts'

test.each([
  ['the requested language before the accepted ones', 'fr', 'de', 'fr'],
  ['a regional variant as its language', 'de-AT', undefined, 'de'],
  ['any case', 'PT-br', undefined, 'pt'],
  ['the accepted language if the requested one is unknown', 'tlh', 'it', 'it'],
  ['the highest weight', undefined, 'en;q=0.5, pl;q=0.9, de;q=0.8', 'pl'],
  ['no weight as 1', undefined, 'en;q=0.9, mt', 'mt'],
  ['the first of equal weights', undefined, 'sl, sk', 'sl'],
  ['the next language if the first has no texts', undefined, 'zh-Hans-CN, uk;q=0.9, cs;q=0.3', 'cs'],
  ['no language with the weight 0', undefined, 'de;q=0, *;q=0.1', 'en'],
  ['English instead of anything', undefined, '*', 'en'],
  ['English without any wish', undefined, undefined, 'en'],
  ['English for empty input', '', '', 'en'],
  ['English for a property name of objects', 'constructor', '__proto__', 'en'],
  ['English for an invalid weight', undefined, 'de;q=2', 'en'],
  ['English for a header that is too long', undefined, `${'xx,'.repeat(400)}de`, 'en'],
  ['English if only the range after the fiftieth is known', undefined, `${'xx,'.repeat(50)}de`, 'en'],
  ['English for a path', '../de', 'de/../..', 'en'],
])('the choice of the language takes %s', (_, requested, accepted, language) => {
  expect(chooseLanguage(requested, accepted)).toBe(language)
})

test.each([
  ['a requested one that is offered', 'pl', 'de', 'pl'],
  ['the accepted one if the requested one is not offered', 'nl', 'de', 'de'],
  ['the next accepted one, whatever its weight', undefined, 'nl-BE, sv;q=0.9, fr;q=0.1', 'fr'],
  ['English if none is offered', 'nl', 'sv, fi;q=0.5', 'en'],
])('[LANG-1] without machine translations the choice takes %s', (_, requested, accepted, language) => {
  expect(chooseLanguage(requested, accepted, listLanguages({ edited_only: true }))).toBe(language)
})

test('a choice without English falls back to the first', () => {
  expect(chooseLanguage('nl', 'sv', ['pl', 'de'])).toBe('pl')
  expect(chooseLanguage('nl', 'de', ['pl', 'de'])).toBe('de')
})
