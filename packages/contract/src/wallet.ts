import { z } from 'zod'
import { text } from './text.ts'

/** What a wallet posts: names to values, each name once. Which names are read is the protocol's business. */
export type WalletForm = z.infer<typeof WalletForm>
export const WalletForm = z.record(text(), text()).meta({ id: 'WalletForm' })

export type WalletRedirect = z.infer<typeof WalletRedirect>
export const WalletRedirect = z
  .strictObject({ redirect_uri: z.string().optional() })
  .meta({ id: 'WalletAnswer' })
