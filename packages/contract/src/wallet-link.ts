import { z } from 'zod'

/** Schemes that wallets register for requests of OpenID4VP. */
const linkSchemes = ['eu-eaap', 'openid4vp', 'haip-vp', 'eudi-openid4vp', 'mdoc-openid4vp']

export const maxWalletLinks = 5
const maxWalletLink_characters = 200

/** What a link to a wallet begins with: a scheme, or the https link of one wallet. */
const WalletLink = z
  .string()
  .max(maxWalletLink_characters)
  .refine(
    (text) => linkSchemes.includes(text) || isHttpsLink(text),
    `must be ${linkSchemes.join(', ')}, or an https link such as https://wallet.example/open`,
  )

/** The first is the main button of the holder's page; the page offers the others as other wallets. */
export const WalletLinks = z
  .array(WalletLink)
  .min(1)
  .max(maxWalletLinks)
  .refine((links) => new Set(links).size === links.length, 'must not name a link twice')

/** The parameters of the request are appended, so that the link has none of its own. */
export function isHttpsLink(text: string): boolean {
  const url = URL.parse(text)
  return url?.protocol === 'https:' && `${url.origin}${url.pathname}` === text
}
