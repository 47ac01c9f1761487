import type { TokenPair } from '@vidimus/contract'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { toDevicePrincipal } from '../device-principal.ts'
import { countAttempt, guessLimits } from './limit-guesses.ts'
import { issueTokens } from '../tokens/issue.ts'
import { hashPairingCode } from './pairing-code.ts'
import { claimPairing, wasIssued, type DeviceRow } from '../store.ts'
import type { AddressKey } from '../../engine/limits/index.ts'

const retryAfter_seconds = 3600 / guessLimits.address.per_hour

export type EnrollDevice = { pairing_code: string; address: AddressKey }

/**
 * Pairs a device. The pairing code is its credential and works once. Wrong, used and expired codes, and one that another
 * device has just claimed, get the same refusal.
 */
export async function enrollDevice(
  ctx: Context,
  { pairing_code, address }: EnrollDevice,
): Promise<TokenPair> {
  const pairingHash = hashPairingCode(ctx.keyring, pairing_code)
  const limited = ctx.config.RATE_LIMITS !== 'off'
  const claimed = await ctx.db.transaction(async (tx): Promise<DeviceRow | 'wrong'> => {
    const attempt = limited ? await countAttempt(tx, address) : undefined
    if (limited && attempt === undefined) throw tooManyGuesses()
    const device = await claimPairing(tx, pairingHash)
    const guessed = device === undefined && !(await wasIssued(tx, pairingHash))
    if (!guessed) await attempt?.undo()
    if (guessed) ctx.metrics.pairingGuesses.inc()
    if (device === undefined) return 'wrong'
    await appendAudit(tx, { action: 'device.enrolled', by: toDevicePrincipal(device), subject: device.id })
    return device
  })
  if (claimed === 'wrong') throw new Refusal('invalid_pairing_code', 'This pairing code is not valid.')
  return issueTokens(ctx, claimed)
}

/** Thrown, so that the rollback uncounts the refused attempt. */
function tooManyGuesses(): Refusal {
  return new Refusal('rate_limit_exceeded', 'Too many wrong codes. Try again later.', retryAfter_seconds)
}
