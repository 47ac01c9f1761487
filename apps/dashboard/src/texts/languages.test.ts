import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loadConsoleTexts } from '../console/texts/console-texts.ts'
import { createFormats } from './formats.ts'
import { chooseLanguage, chooseLocale, languageCodes, type Language } from './languages.ts'
import { loadTexts } from './load-texts.ts'
import { plural } from './plural.ts'

const pluralCategories = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])
const english = await listTexts('en')

/** Texts that are truly the same in English: names, technical terms and words that both languages have. */
const sameAsEnglish: Record<Exclude<Language, 'en'>, readonly RegExp[]> = {
  de: [
    /^(Test|Live|Name|Support|Auditor|Route|Dashboard|Status|Team|Webhooks?|Passkeys?|(Apple |Google )?Wallets?|Logo|Links?|Optional\.|Version|JSON|Format|ID|Client-ID|Browser|Issuer|Scope|SHA-256|DCQL|PID|JWT|Base64url|PostgreSQL \{version\}, \{size\})$/,
    // An example of a route, a code or an id.
    /^(?:[A-Z]+ )?[a-z\d/_.:-]*[/_:][a-z\d/_.:-]*$/,
    // Placeholders and punctuation only.
    /^(?:\{[a-z_]+\}|[^\p{Letter}])*(?: ms)?$/u,
  ],
}

test.for(['./', '../console/texts/'])('every language has a file for each area in %s', (folder) => {
  const listAreas = (code: string) => readdirSync(new URL(`${folder}${code}`, import.meta.url)).toSorted()
  expect(listAreas('en').length).toBeGreaterThan(4)
  for (const code of languageCodes) expect([code, listAreas(code)]).toEqual([code, listAreas('en')])
})

describe.each(languageCodes)('%s', async (code) => {
  const all = await listTexts(code)
  /** The texts that a check finds fault with. */
  const faults = (check: (text: string, original: string, name: string) => boolean) =>
    [...all].filter(([name, text]) => check(text, english.get(name) ?? '', name))

  test('the texts have the same names as in English, and none is empty', () => {
    expect(english.size).toBeGreaterThan(100)
    expect([...all.keys()].map(withoutCategory)).toEqual(
      expect.arrayContaining([...english.keys()].map(withoutCategory)),
    )
    expect([...english.keys()].map(withoutCategory)).toEqual(
      expect.arrayContaining([...all.keys()].map(withoutCategory)),
    )
    expect(faults((text) => text.trim() === '')).toEqual([])
  })

  test('the texts have the same placeholders as in English', () => {
    const placeholdersOf = (name: string) =>
      listPlaceholders(english.get(name) ?? english.get(`${withoutCategory(name)}#other`) ?? '')
    expect(
      // A form for one thing may leave the number out.
      faults((text, _, name) => !name.endsWith('#one') && listPlaceholders(text) !== placeholdersOf(name)),
    ).toEqual([])
  })

  test('a text with a count has a form for each plural category', () => {
    const { pluralCategories: categories } = new Intl.PluralRules(code).resolvedOptions()
    const forms = Map.groupBy(
      [...all.keys()].filter((name) => name.includes('#')),
      withoutCategory,
    )
    expect(
      [...forms].filter(([name, found]) => categories.some((each) => !found.includes(`${name}#${each}`))),
    ).toEqual([])
  })

  test('no text has stray spaces, typewriter quotation marks or separated accents', () => {
    expect(faults((text) => text !== text.trim() || /\s\s|[\n\t]|\s[.,]/.test(text))).toEqual([])
    expect(faults((text) => /["`]|\.\.\.|\p{Letter}'/u.test(text))).toEqual([])
    expect(faults((text) => text !== text.normalize('NFC'))).toEqual([])
  })

  test('the label of a button contains the text on it, so that it can be spoken', () => {
    const mismatches = [...all].filter(([name, label]) => {
      const button = all.get(name.replace(/label$/, 'button'))?.toLowerCase()
      return name.endsWith('.label') && button !== undefined && !label.toLowerCase().includes(button)
    })
    expect(mismatches).toEqual([])
  })

  test('no text was left in English, and each ends like the English one', () => {
    if (code === 'en') return
    const isSame = (text: string) => sameAsEnglish[code].some((pattern) => pattern.test(text))
    expect(faults((text, original) => text === original && !isSame(text))).toEqual([])
    expect(faults((text) => /(?<!\p{Letter})(the|your|this|with)(?!\p{Letter})/iu.test(text))).toEqual([])
    const ending = (text: string) => /[.:;?!…]$/.exec(text)?.[0] ?? ''
    expect(faults((text, original) => original !== '' && ending(text) !== ending(original))).toEqual([])
  })
})

test('the language follows the preferences of the browser, and dates follow its region', () => {
  expect(chooseLanguage(['pt-BR', 'de-AT', 'en'])).toBe('de')
  expect(chooseLanguage(['DE'])).toBe('de')
  expect(chooseLanguage(['pt', 'constructor', ''])).toBe('en')
  expect(chooseLanguage([])).toBe('en')
  expect(chooseLocale('de', ['en-GB', 'de-AT'])).toBe('de-AT')
  expect(chooseLocale('de', ['en-GB'])).toBe('de')
})

test('numbers, dates and plurals are written as the language does', () => {
  const [en, de] = [createFormats('en'), createFormats('de')]
  const events = plural({ one: '{count} event of {name}', other: '{count} events of {name}' })
  expect(en.count(events, 1, { name: 'A' })).toBe('1 event of A')
  expect(de.count(events, 1234, { name: '{count}' })).toBe('1.234 events of {count}')
  expect([en.percent(0.073), de.percent(0.073)]).toEqual(['7.3%', '7,3\u{a0}%'])
  expect([en.seconds(1.25), de.seconds(1.25), de.seconds(125)]).toEqual(['1.3 s', '1,3 s', '2 min 5 s'])
  expect(de.or(['a', 'b', 'c'])).toBe('a, b oder c')
})

/** All texts of a language, of the dashboard and the console, with their names. A plural form's name ends with `#` and its category. */
async function listTexts(code: Language): Promise<Map<string, string>> {
  return new Map([...flatten(await loadTexts[code]()), ...flatten(await loadConsoleTexts[code](), 'console')])
}

function flatten(value: object, prefix = ''): [name: string, text: string][] {
  const isPlural = 'other' in value && Object.keys(value).every((key) => pluralCategories.has(key))
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    const path = prefix === '' ? name : `${prefix}${isPlural ? '#' : '.'}${name}`
    return typeof inner === 'object' && inner !== null ? flatten(inner, path) : [[path, String(inner)]]
  })
}

function withoutCategory(name: string): string {
  return name.replace(/#.*$/, '')
}

function listPlaceholders(text: string): string {
  return [...new Set(text.match(/\{[^}]*\}|[{}]/g))].toSorted().join(' ')
}
