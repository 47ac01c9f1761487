import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { HolderTexts } from './languages/en.ts'
import { isEdited, listLanguages, type Language } from './language-codes.ts'
import { texts } from './languages.ts'

const folder = new URL('languages/', import.meta.url)
const codes = listLanguages()
const translations = codes.filter((lang) => lang !== 'en')
const english = new Map(listTexts('en'))

/** Words that are truly the same in English, and quotation marks. */
const sameAsEnglish = new Set([
  ...['da', 'de', 'pl', 'sv'].map((lang) => `${lang} claims.region`),
  'fr claims.signature',
  'nl claims.postal_code',
  ...['ga', 'lv', 'mt', 'nl'].map((lang) => `${lang} request.unknown`),
])

/** Texts on buttons and links, which must fit on a phone, on two lines at most. */
const maxButtonLength = 62
const buttonNames: (keyof HolderTexts['component'])[] = [
  'continue_with_wallet',
  'other_channels',
  'no_wallet',
  'age_app_code',
  'wallet_code',
  'choose_app',
  'open_wallet',
  'another_wallet',
  'age_app',
  'copy_link',
  'other_device',
  'use_alternative',
  'show_code_again',
  'open_wallet_again',
  'ask_for_deletion',
  'try_other_document',
  'continue',
  'back',
  'retry',
]
const buttons = new Set(buttonNames.map((name) => `component.${name}`))

test('the 24 official languages of the EU have texts', () => {
  const files = readdirSync(folder).map((name) => name.replace(/\.ts$/, ''))

  expect(codes).toHaveLength(24)
  expect(files.toSorted()).toEqual(codes.toSorted())
  expect(new Set(codes.map((lang) => texts(lang).component.open_wallet)).size).toBe(24)
})

test('without machine translations six languages are left, English among them', () => {
  expect(codes.filter(isEdited)).toEqual(['de', 'en', 'es', 'fr', 'it', 'pl'])
  expect(listLanguages({ edited_only: true })).toEqual(codes.filter(isEdited))
})

test('French has its spaces before punctuation, and none of them breaks a line', () => {
  const spaced = listTexts('fr').filter(([, text]) => /[;:?!«»]/.test(text))
  expect(spaced.length).toBeGreaterThan(5)
  expect(spaced.filter(([, text]) => /(?<!\u202f)[;?!»]|(?<!\u00a0):|«(?!\u202f)/.test(text))).toEqual([])
})

test.each([
  ['fr', /(?<!\p{L})(tu|ton|ta|tes|toi)(?!\p{L})/iu],
  ['es', /(?<!\p{L})(tú|tu|tus|ti|tienes|puedes|escanea)(?!\p{L})/iu],
  ['it', /(?<!\p{L})(Suo|Sua|Suoi|Sue|Lei|può guidare|apra|inquadri)(?!\p{L})/u],
  ['de', /(?<!\p{L})(du|dein|deine|deiner|dir|dich)(?!\p{L})/iu],
  ['pl', /(?<!\p{L})(Pan|Pani|Pana|Panią|Panem)(?!\p{L})/u],
] as const)('%s keeps to one form of address', (lang, other) => {
  expect(listTexts(lang).filter(([, text]) => other.test(text))).toEqual([])
})

test.each(codes)('the days in %s have a text for each plural category', (lang) => {
  const { pluralCategories } = new Intl.PluralRules(lang).resolvedOptions()
  const forms = Object.entries(texts(lang).days)

  expect(forms.map(([category]) => category).toSorted()).toEqual(pluralCategories.toSorted())
  expect(forms.filter(([, form]) => !form.includes('{days}'))).toEqual([])
})

test.each(codes)('no two claims or documents have the same label in %s', (lang) => {
  // Descriptions list each label once, so that equal labels would hide a claim.
  const { claims, documents } = texts(lang)
  for (const labels of [Object.values(claims), Object.values(documents)]) {
    const folded = labels.map((label) => label.toLocaleLowerCase(lang))
    expect(folded.filter((label, index) => folded.indexOf(label) < index)).toEqual([])
  }
})

describe.each(translations)('%s', (lang) => {
  const all = listTexts(lang)
  /** The texts that a check finds fault with. */
  const faults = (check: (text: string, original: string, name: string) => boolean) =>
    all.filter(([name, text]) => check(text, english.get(name) ?? '', name))

  test('the texts have the same names as in English, and none is empty', () => {
    expect(all.map(([name]) => name)).toEqual([...english.keys()])
    expect(faults((text) => text.trim() === '')).toEqual([])
  })

  test('the texts have the same placeholders as in English', () => {
    expect(faults((text, original) => listPlaceholders(text) !== listPlaceholders(original))).toEqual([])
  })

  test('no text was left in English', () => {
    expect(
      faults((text, original, name) => text === original && !sameAsEnglish.has(`${lang} ${name}`)),
    ).toEqual([])
    expect(faults((text) => /(?<!\p{Letter})(the|your|this|with)(?!\p{Letter})/iu.test(text))).toEqual([])
  })

  test('each text ends like the English one', () => {
    expect(faults((text, original) => readEnding(text, lang) !== readEnding(original, 'en'))).toEqual([])
  })

  test('no text has stray spaces, typewriter quotation marks or separated accents', () => {
    expect(faults((text) => text !== text.trim() || /\s\s|[\n\t]|\s[.,]/.test(text))).toEqual([])
    expect(faults((text) => /['"`]|\.\.\./.test(text))).toEqual([])
    expect(faults((text) => text !== text.normalize('NFC'))).toEqual([])
  })

  test('no word mixes alphabets', () => {
    const own = lang === 'bg' ? 'Cyrillic' : lang === 'el' ? 'Greek' : 'Latin'
    const word = new RegExp(`^(\\p{Script=${own}}+|\\p{Script=Latin}+)$`, 'u')
    expect(
      faults((text) => text.match(/\p{Letter}+/gu)?.every((letters) => word.test(letters)) !== true),
    ).toEqual([])
  })

  test('no text is much longer than the English one', () => {
    expect(faults((text, original) => text.length > 1.7 * original.length + 30)).toEqual([])
    const fits = (text: string, original: string) =>
      text.length <= Math.max(2.2 * original.length, 24) && text.length <= maxButtonLength
    expect(faults((text, original, name) => buttons.has(name) && !fits(text, original))).toEqual([])
  })
})

/** All texts of a language with their names. The plural forms differ between languages, and are left out. */
function listTexts(lang: Language): [name: string, text: string][] {
  const { days: _, ...groups } = texts(lang)
  return Object.entries(groups).flatMap(([group, members]) =>
    Object.entries(members).map(([name, text]): [string, string] => [`${group}.${name}`, text]),
  )
}

function listPlaceholders(text: string): string {
  return [...new Set(text.match(/\{[^}]*\}|[{}]/g))].toSorted().join(' ')
}

/** The punctuation at the end of a text. A question in Greek ends with a semicolon. */
function readEnding(text: string, lang: Language): string {
  const ending = /[.:;?!…,]$/.exec(text)?.[0] ?? ''
  return lang === 'el' && ending === ';' ? '?' : ending
}
