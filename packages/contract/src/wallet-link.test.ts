import { expect, test } from 'vitest'
import { maxWalletLinks, WalletLinks } from './wallet-link.ts'

test.each([
  [['eu-eaap', 'openid4vp', 'haip-vp']],
  [['eudi-openid4vp', 'mdoc-openid4vp', 'https://wallet.example/', 'https://wallet.example:8443/-/open']],
])('%j are links to wallets', (links) => {
  expect(WalletLinks.parse(links)).toEqual(links)
})

test.each([
  'javascript',
  'data',
  'http',
  'https',
  'av',
  'openid4vp://',
  'OpenID4VP',
  '',
  'javascript:alert(1)//',
  'http://wallet.example/open',
  'https://wallet.example',
  'https://wallet.example/open?a=b',
  'https://wallet.example/open?',
  'https://wallet.example/open#a',
  'https://user@wallet.example/open',
  'https://WALLET.example/open',
  'https://wallet.example/a/../open',
  `https://wallet.example/${'a'.repeat(200)}`,
])('%j is not one', (link) => {
  expect(WalletLinks.safeParse([link]).success).toBe(false)
})

test('there is at least one, none is there twice, and their number is bounded', () => {
  const links = Array.from({ length: maxWalletLinks + 1 }, (_, index) => `https://${index}.example/`)
  expect(WalletLinks.safeParse([]).success).toBe(false)
  expect(WalletLinks.safeParse(['openid4vp', 'openid4vp']).success).toBe(false)
  expect(WalletLinks.safeParse(links).success).toBe(false)
  expect(WalletLinks.safeParse(links.slice(1)).success).toBe(true)
})
