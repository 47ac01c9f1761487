import type { HolderSession, NamedLink } from '../holder-session.ts'

export type LinkPlan = {
  /** The link of the main button. */
  main: string | undefined
  /** For wallets that do not open it. */
  others: NamedLink[]
}

/** The links to a wallet on this device. The merchant's page can choose with which scheme the main one begins. */
export function planLinks(
  { wallet_uri, links = [] }: Pick<HolderSession, 'wallet_uri' | 'links'>,
  scheme: string | null,
): LinkPlan {
  const main = links.find(({ name }) => name === scheme) ?? links[0]
  return { main: main?.uri ?? wallet_uri, others: links.filter((link) => link !== main) }
}
