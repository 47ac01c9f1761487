import type { Environment } from '@vidimus/contract'
import { getHolderPage } from '../../accounts/index.ts'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import type { ChangeVersion } from '../../engine/db/index.ts'
import { chargeStep } from '../../engine/scheduling/index.ts'
import { lockWebhookReceiver } from '../store.ts'
import { type DisclosedCredential, compareIdentities, identifyingElements } from './compare-identity.ts'
import { hashReference, writeReference } from './reference.ts'
import { requestErasure } from './request-erasure.ts'
import { comparedRows, readIdentifyingClaims } from './store.ts'

/** Completed verifications that a holder's documents are compared with: those of the day first, then of the day before and the day after. */
export const maxCompared = 5000
const day_ms = 86_400_000

type Erasing = {
  day: string
  id: string
  tenant_id: string
  environment: Environment
  change_version: ChangeVersion
  erasing_day: string
}

/**
 * Requests the erasure of a tenant's results of about a day that are about the holder of these credentials. Where nothing but names and
 * birth date can be compared, the merchant decides, because namesakes exist. Doing it again changes nothing.
 */
export async function eraseMatches(
  ctx: Context,
  { erasing_day, change_version, ...verification }: Erasing,
  presented: readonly DisclosedCredential[],
): Promise<void> {
  const { id, day, tenant_id, environment } = verification
  const { holder_erasure: mode } = await getHolderPage(ctx, tenant_id, change_version)
  if (mode === 'off') return
  const reference_hash = hashReference(writeReference(ctx.keyring, { tenant_id, code: id }))
  const count = { compared: 0, matched: 0 }
  for await (const results of readResults(ctx, { tenant_id, environment, erasing_day })) {
    count.compared += results.length
    const matches = chargeStep(() =>
      results.map(({ credentials }) => compareIdentities(presented, credentials ?? [])),
    )
    for (const [index, match] of matches.entries()) {
      const result = results[index]
      if (result === undefined || match === 'none' || result.id === id) continue
      count.matched += 1
      const request = { tenant_id, id: result.id, reference_hash }
      await requestErasure(ctx, { ...request, mode: match === 'same_person' ? mode : 'ask_merchant' })
    }
  }
  await ctx.db.transaction(async (tx) => {
    if ((await lockWebhookReceiver(tx, { day, id, tenant_id, environment })) === undefined) return
    await appendAudit(tx, {
      action: 'erasure.compared',
      by: { kind: 'holder', tenant_id },
      subject: id,
      detail: { day: erasing_day, ...count, complete: count.compared < maxCompared },
    })
  })
}

/** Pages of a tenant's results of about a day, `maxCompared` at most. */
async function* readResults(
  { db }: Context,
  { erasing_day, ...of }: Pick<Erasing, 'tenant_id' | 'environment' | 'erasing_day'>,
) {
  let left = maxCompared
  for (const days of [0, -1, 1]) {
    const day = new Date(Date.parse(erasing_day) + days * day_ms).toISOString().slice(0, 10)
    let before: string | undefined = 'infinity'
    while (left > 0 && before !== undefined) {
      const page = await readIdentifyingClaims(db, day, { ...of, before, elements: identifyingElements })
      yield page.slice(0, left)
      left -= page.length
      before = page.length < comparedRows ? undefined : page.at(-1)?.created_at
    }
  }
}
