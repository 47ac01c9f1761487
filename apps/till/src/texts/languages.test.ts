import { readdirSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { findAge } from './ages.ts'
import { describeReason, mayTryAgain } from './describe-answer.ts'
import { fillIn } from './fill-in.ts'
import { formatDuration } from './format-time.ts'
import { chooseLanguage, languages, listLanguages, texts, type Language } from './languages.ts'
import { nameTemplate } from './name-template.ts'

// Object.keys of a constant object.
const codes = Object.keys(languages) as Language[]

test('every language has all texts, none empty, with the placeholders of the English ones', () => {
  expect(codes.toSorted()).toEqual(['de', 'en', 'es', 'fr', 'it', 'nl', 'pl'])
  expect(readdirSync(new URL('languages', import.meta.url)).toSorted()).toEqual(
    codes.toSorted().map((code) => `${code}.ts`),
  )
  const english = flatten(texts('en'))
  expect(english.size).toBeGreaterThan(80)
  for (const code of codes) {
    const found = flatten(texts(code))
    expect([code, [...found.keys()]]).toEqual([code, [...english.keys()]])
    const faulty = [...found].filter(
      ([path, text]) =>
        text.trim() !== text || text === '' || !samePlaceholders(text, english.get(path) ?? ''),
    )
    expect([code, faulty]).toEqual([code, []])
  }
})

test('no language but English repeats English sentences', () => {
  const english = flatten(texts('en'))
  for (const code of codes.filter((each) => each !== 'en')) {
    const same = [...flatten(texts(code))].filter(([path, text]) => text === english.get(path))
    // Names, and words that are the same in both languages.
    const allowed = ['IBAN', 'No', 'Code', 'Adresse']
    expect([code, same.filter(([, text]) => !allowed.includes(text))]).toEqual([code, []])
  }
})

test('[LANG-2] no sentence is in the texts of two languages', () => {
  const seen = new Map<string, string>()
  for (const code of codes)
    for (const text of new Set([...flatten(texts(code)).values()].filter((each) => each.length > 20))) {
      expect([text, seen.get(text)]).toEqual([text, undefined])
      seen.set(text, code)
    }
})

test('French has its spaces before punctuation, and none of them breaks a line', () => {
  const spaced = [...flatten(texts('fr')).values()].filter((text) => /[;:?!«»]/.test(text))
  expect(spaced.length).toBeGreaterThan(5)
  expect(spaced.filter((text) => /(?<!\u202f)[;?!»]|(?<!\u00a0):|«(?!\u202f)/.test(text))).toEqual([])
})

test('[TILL-4] the three words of an answer differ in every language', () => {
  for (const code of codes) {
    const { yes, no, not_checked } = texts(code).words
    expect(new Set([yes, no, not_checked]).size).toBe(3)
  }
})

test('the language follows the preferences of the browser', () => {
  expect(chooseLanguage(['pt-BR', 'de-AT', 'en'], codes)).toBe('de')
  expect(chooseLanguage(['PL'], codes)).toBe('pl')
  expect(chooseLanguage(['', 'pt', 'constructor'], codes)).toBe('en')
  expect(chooseLanguage([], codes)).toBe('en')
})

test('[LANG-1] a till without machine translations has no Dutch, and takes the next preferred language', () => {
  const offered = listLanguages({ edited_only: true })
  expect(offered).toEqual(['de', 'en', 'es', 'fr', 'it', 'pl'])
  expect(listLanguages({ edited_only: false })).toEqual(codes)
  expect(chooseLanguage(['nl', 'nl-BE', 'fr-BE'], offered)).toBe('fr')
  expect(chooseLanguage(['nl'], offered)).toBe('en')
})

test('a built-in template has a name, and other keys become words', () => {
  const names = texts('en').templates
  expect(nameTemplate('age_over_18', names)).toBe('18 or over')
  expect(nameTemplate('club_entry', names)).toBe('Club entry')
  expect(nameTemplate('staff.door-2', names)).toBe('Staff door 2')
  expect(nameTemplate('constructor', names)).toBe('Constructor')
  expect(nameTemplate('__', names)).toBe('__')
})

test('a No to an age names the age, in every language, and only for templates that are known to ask for one', () => {
  const young = { word: 'no', reason: 'requirement_not_met' } as const
  const english = texts('en')
  expect(describeReason(young, 'age_over_18_photo', english)).toBe('Not 18 or over')
  expect(describeReason(young, 'preview.us_mdl_age_21', english)).toBe('Not 21 or over')
  expect(describeReason(young, 'age_over_18_club', english)).toBe('The requirement is not met')
  expect(describeReason(young, undefined, english)).toBe('The requirement is not met')
  for (const code of codes) expect(describeReason(young, 'age_over_16', texts(code))).toContain('16')
  const named = Object.keys(english.templates).filter((key) => /age_(?:over_)?\d/.test(key))
  expect(named.filter((key) => findAge(key) === undefined)).toEqual([])
})

test('a spent quota says when it begins again, and does not suggest to try before', () => {
  vi.stubGlobal('document', { documentElement: { lang: 'en' } })
  vi.stubGlobal('navigator', { languages: ['en-GB'] })
  const again_at = new Date(2026, 10, 18, 1, 0).getTime()
  const spent = { word: 'not_checked', reason: 'quota_spent', again_at } as const
  expect(describeReason(spent, 'age_over_18', texts('en'))).toBe(
    'Today’s checks are used up. You can check again from 01:00.',
  )
  vi.unstubAllGlobals()
  expect(mayTryAgain(spent)).toBe(false)
  expect(mayTryAgain({ word: 'not_checked', reason: 'template_withdrawn' })).toBe(false)
  expect(mayTryAgain({ word: 'not_checked', reason: 'time_out' })).toBe(true)
  expect(mayTryAgain({ word: 'yes' })).toBe(true)
})

test('what is left of a time is never negative', () => {
  expect([-5, 0, 1, 59_001, 61_000].map(formatDuration)).toEqual(['0:00', '0:00', '0:01', '1:00', '1:01'])
})

test('values are inserted as they are', () => {
  expect(fillIn('{name}: {time} {other}', { name: '{time} $&', time: '1:00' })).toBe(
    '{time} $&: 1:00 {other}',
  )
})

function flatten(value: object, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(value).flatMap(([key, each]): [string, string][] =>
      typeof each === 'string' ? [[prefix + key, each]] : [...flatten(each, `${prefix}${key}.`)],
    ),
  )
}

function samePlaceholders(one: string, other: string): boolean {
  const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted().join()
  return placeholders(one) === placeholders(other)
}
