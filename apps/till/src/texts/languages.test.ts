import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fillIn } from './fill-in.ts'
import { chooseLanguage, languages, texts, type Language } from './languages.ts'
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
    const allowed = ['IBAN', 'Student', 'No', 'Code', 'Adresse']
    expect([code, same.filter(([, text]) => !allowed.includes(text))]).toEqual([code, []])
  }
})

test('[TILL-4] the three words of an answer differ in every language', () => {
  for (const code of codes) {
    const { yes, no, not_checked } = texts(code).words
    expect(new Set([yes, no, not_checked]).size).toBe(3)
  }
})

test('the language follows the preferences of the browser', () => {
  expect(chooseLanguage(['pt-BR', 'de-AT', 'en'])).toBe('de')
  expect(chooseLanguage(['PL'])).toBe('pl')
  expect(chooseLanguage(['pt', 'constructor', ''])).toBe('en')
  expect(chooseLanguage([])).toBe('en')
})

test('a built-in template has a name, and other keys become words', () => {
  const names = texts('en').templates
  expect(nameTemplate('age_over_18', names)).toBe('18 or over')
  expect(nameTemplate('club_entry', names)).toBe('Club entry')
  expect(nameTemplate('staff.door-2', names)).toBe('Staff door 2')
  expect(nameTemplate('constructor', names)).toBe('Constructor')
  expect(nameTemplate('__', names)).toBe('__')
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
