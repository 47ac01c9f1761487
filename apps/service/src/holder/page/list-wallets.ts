import type { HolderVerification } from '@vidimus/contract'
import type { Language } from '@vidimus/holder-texts'
import type { Wallet } from './read-wallets.ts'

/** What a browser says about itself. */
export type Browser = { userAgent: string | undefined; acceptLanguage: string | undefined }

export type WalletChoice = {
  /** The whole table. */
  wallets: readonly Wallet[]
  browser: Browser
  /** Of the texts. */
  language: Language
}

type ListedWallets = {
  wallets: NonNullable<HolderVerification['wallets']>
  countries: NonNullable<HolderVerification['countries']>
  country?: string
}

/**
 * The wallets that a holder can choose by name, with the stores of the holder's device, and the countries to choose from. The service knows
 * the names of countries in all its languages, which not every browser does.
 */
export function listWallets(
  { wallets, browser, language }: WalletChoice,
  environment: 'test' | 'live',
  linkWith: (link: string) => string,
): ListedWallets {
  const shown = wallets.filter(({ test_only }) => !test_only || environment === 'test')
  const codes = new Set(shown.flatMap(({ countries }) => countries))
  const country = readRegions(browser.acceptLanguage ?? '').find((region) => codes.has(region))
  return {
    wallets: shown.map((wallet) => {
      const { name, link, countries } = wallet
      const stores = listStores(wallet, browser.userAgent ?? '')
      return {
        name,
        uri: linkWith(link),
        ...(countries.length > 0 && { countries }),
        ...(stores.length > 0 && { stores }),
      }
    }),
    countries: nameCountries([...codes], language),
    ...(country !== undefined && { country }),
  }
}

/** The device's own store, or both where that is not known, such as on a computer. Without one, the wallet's site. */
function listStores(
  { app_store, play_store, site }: Wallet,
  userAgent: string,
): { name: string; uri: string }[] {
  const stores = [
    { name: 'App Store', uri: app_store, excluded: /Android/ },
    { name: 'Google Play', uri: play_store, excluded: /iPhone|iPad/ },
  ]
  const fitting = stores.flatMap(({ name, uri, excluded }) =>
    uri === undefined || excluded.test(userAgent) ? [] : [{ name, uri }],
  )
  if (fitting.length > 0 || site === undefined) return fitting
  return [{ name: new URL(site).host, uri: site }]
}

const maxHeader_characters = 1000

/** The regions of the accepted languages, in their order: `nl` is taken for that of the Netherlands. */
function readRegions(acceptLanguage: string): string[] {
  if (acceptLanguage.length > maxHeader_characters) return []
  const tags = acceptLanguage.matchAll(
    /(?:^|,)\s*([a-z]{2,3}(?:-[a-z]{4})?(?:-[a-z]{2})?)(?=\s*(?:[;,]|$))/gi,
  )
  return [...tags].flatMap(([, tag = '']) => new Intl.Locale(tag).maximize().region ?? [])
}

/** Sorted as in a dictionary of the language. */
function nameCountries(codes: readonly string[], language: Language): { code: string; name: string }[] {
  const names = new Intl.DisplayNames([language], { type: 'region' })
  return codes
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .toSorted((a, b) => a.name.localeCompare(b.name, language))
}
