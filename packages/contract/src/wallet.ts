import { z } from 'zod'
import { text } from './text.ts'

/** The form fields that a wallet posts, each name once. The protocol package decides which fields are read. */
export type WalletForm = z.infer<typeof WalletForm>
export const WalletForm = z.record(text(), text()).meta({ id: 'WalletForm' })

export type WalletRedirect = z.infer<typeof WalletRedirect>
export const WalletRedirect = z
  .strictObject({ redirect_uri: z.string().optional() })
  .meta({ id: 'WalletAnswer' })
