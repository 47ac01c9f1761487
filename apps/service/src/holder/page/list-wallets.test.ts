import { expect, test } from 'vitest'
import { type WalletChoice, listWallets } from './list-wallets.ts'

const wallet = { name: 'A', countries: ['NL', 'BE'], link: 'a', test_only: false }
const wallets = [
  {
    ...wallet,
    app_store: 'https://apps.apple.com/app/id1',
    play_store: 'https://play.google.com/store/apps/details?id=a',
  },
  { ...wallet, name: 'B', countries: ['AT'], link: 'https://b.example/' },
  { ...wallet, name: 'C', countries: [], link: 'c' },
  { ...wallet, name: 'D', countries: ['SE'], link: 'd', test_only: true },
]

const list = (browser: Partial<WalletChoice['browser']> = {}, more: Partial<WalletChoice> = {}) =>
  listWallets(
    {
      wallets,
      browser: { acceptLanguage: undefined, userAgent: undefined, ...browser },
      language: 'en',
      ...more,
    },
    'live',
    (link) => `link to ${link}`,
  )

test('each wallet has its own link, and those for developers are left out', () => {
  expect(list().wallets).toMatchObject([
    { name: 'A', uri: 'link to a', countries: ['NL', 'BE'] },
    { name: 'B', uri: 'link to https://b.example/', countries: ['AT'] },
    { name: 'C', uri: 'link to c' },
  ])
  expect(list().wallets[2]).not.toHaveProperty('countries')
})

test('countries are sorted by their names in the language of the texts', () => {
  const names = (language: WalletChoice['language']) =>
    list({}, { language }).countries.map(({ name }) => name)
  expect(names('en')).toEqual(['Austria', 'Belgium', 'Netherlands'])
  expect(names('de')).toEqual(['Belgien', 'Niederlande', 'Österreich'])
  expect(names('ga')).toContain('an Ostair')
})

test.each([
  ['de-AT,de;q=0.9', 'AT'],
  ['nl', 'NL'],
  ['en-US,en;q=0.9,fr-BE;q=0.8', 'BE'],
  ['zh-Hans-CN, nl-Latn-NL;q=0.5', 'NL'],
  ['sv-SE', undefined],
  ['fr', undefined],
  ['*', undefined],
  ['nl-', undefined],
  ['', undefined],
  [`nl,${'x'.repeat(1000)}`, undefined],
])('the languages %j suggest the country %s', (acceptLanguage, country) => {
  expect(list({ acceptLanguage }).country).toBe(country)
})

test('a wallet that the store of the device does not have leads to its site', () => {
  const site = 'https://wallet.example/get'
  const only = [{ ...wallet, site, play_store: 'https://play.google.com/store/apps/details?id=a' }]
  const stores = (userAgent: string) => list({ userAgent }, { wallets: only }).wallets[0]?.stores
  expect(stores('Mozilla/5.0 (iPhone)')).toEqual([{ name: 'wallet.example', uri: site }])
  expect(stores('Mozilla/5.0 (Linux; Android 16)')).toMatchObject([{ name: 'Google Play' }])
})

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)', ['App Store']],
  ['Mozilla/5.0 (Linux; Android 16; Pixel 10)', ['Google Play']],
  ['Mozilla/5.0 (X11; Linux x86_64)', ['App Store', 'Google Play']],
])('%s gets its apps from %j', (userAgent, stores) => {
  const [first, second] = list({ userAgent }).wallets
  expect(first?.stores?.map(({ name }) => name)).toEqual(stores)
  expect(second).not.toHaveProperty('stores')
})
