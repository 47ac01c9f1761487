import type { TokenPair } from '@vidimus/contract'
import { appendAudit } from '../audit/append.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../platform/refusal.ts'
import { issueTokens } from './issue-tokens.ts'
import { hashPairingCode } from './pairing-code.ts'
import { claimPairing, giveRoomBack, takeRoom, wasIssued, type DeviceRow } from './store.ts'

/** ENROLL-5. The threat model works out how long a hit takes at this rate. */
export const guesses = { burst: 50, an_hour: 10 }
const retryAfter_seconds = 3600 / guesses.an_hour

export type Enroll = { pairing_code: string; address: string }

/**
 * Pairs a device: the code is its credential and works once. A wrong one, a spent one, a lapsed one and one that another
 * claimed a moment ago are told apart by nothing.
 */
export async function enrollDevice(ctx: Context, { pairing_code, address }: Enroll): Promise<TokenPair> {
  const pairingHash = hashPairingCode(ctx.keyring, pairing_code)
  const bounded = ctx.config.RATE_LIMITS !== 'off'
  const claimed = await ctx.db.transaction(async (tx): Promise<DeviceRow | 'too many' | 'wrong'> => {
    // Taken before the look and given back after it: simultaneous guesses from one address cannot slip past.
    if (bounded && !(await takeRoom(tx, { address, ...guesses }))) return 'too many'
    const device = await claimPairing(tx, pairingHash)
    const guessed = device === undefined && !(await wasIssued(tx, pairingHash))
    if (bounded && !guessed) await giveRoomBack(tx, address)
    if (guessed) ctx.metrics.pairingGuesses.inc()
    if (device === undefined) return 'wrong'
    await appendAudit(tx, { action: 'device.enrolled', by: actingAs(device), subject: device.id })
    return device
  })
  if (claimed === 'too many') {
    throw new Refusal(
      'rate_limit_exceeded',
      'Too many wrong codes from this address. Try again later.',
      retryAfter_seconds,
    )
  }
  if (claimed === 'wrong') throw new Refusal('invalid_pairing_code', 'This pairing code is not valid.')
  return issueTokens(ctx, claimed)
}

/** The device as the actor of its own enrolment and revocation. */
export function actingAs({ id, name, tenant_id, environment, allowed_templates }: DeviceRow) {
  return {
    kind: 'device',
    device_id: id,
    name,
    tenant_id,
    environment,
    allowed_templates,
    scopes: [],
  } as const
}
