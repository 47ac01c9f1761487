import type { HolderVerification } from '@vidimus/contract'
import type { Language } from '@vidimus/holder-texts'
import { erasureAddress } from '../../accounts/index.ts'
import type { Context } from '../../engine/context.ts'
import { writeReference } from '../../verifications/index.ts'
import { getHolderVerification } from '../page/get-verification.ts'
import type { Browser } from '../page/list-wallets.ts'
import { browserProof, hasBrowserProof, writeErasureCode } from './erasure-code.ts'

export type Card = {
  id: string
  verification: HolderVerification
  language: Language
  offered: readonly Language[]
  responded_at: string
  /** The page where it is deleted, and the code for it. Only the browser that led to the wallet gets the code. */
  address: string
  code: string | undefined
  /** Of the request for an erasure that the verification was for. It is given like the code. */
  reference: string | undefined
}

type DescribeCard = {
  id: string
  lang: string | undefined
  browser: Browser
  /** What the browser's cookie proves. */
  proofs: string | undefined
}

/** What a holder can keep of a verification. Undefined before it has a result, and if its merchant takes no requests of holders. */
export async function describeCard(
  ctx: Context,
  { id, lang, browser, proofs }: DescribeCard,
): Promise<Card | undefined> {
  const shown = await getHolderVerification(ctx, { id, lang, wallets: [], browser })
  if (shown?.verification.card !== true || shown.responded_at === null) return undefined
  const { tenant_id, verification, language, offered, responded_at, erases } = shown
  const address = erasureAddress(ctx, { tenant_id })
  const isHolder = hasBrowserProof(proofs, browserProof(ctx.keyring, id))
  const code = isHolder && !erases ? await writeErasureCode(ctx.keyring, { tenant_id, id }) : undefined
  const reference = isHolder && erases ? writeReference(ctx.keyring, { tenant_id, code: id }) : undefined
  return { id, verification, language, offered, responded_at, address, code, reference }
}
