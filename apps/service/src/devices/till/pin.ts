import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { PinCheck } from '@vidimus/contract'
import { type Principal, Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { type PinTry, tryPin } from './store.ts'

export const maxPinFailures = 5
export const pinLock_seconds = 60

/** A PIN is hashed slowly, with the device as salt: the few digits could be guessed from a fast hash. */
export async function hashPin(device_id: string, pin: string): Promise<Buffer> {
  return promisify<string, string, number, Buffer>(scrypt)(pin, device_id, 32)
}

/** Whether a till's PIN is correct. Wrong ones are counted, and after the last try none is accepted for a while. */
export async function checkPin({ db }: Context, by: Principal, pin: string): Promise<PinCheck> {
  if (by.kind !== 'device') throw new Refusal('invalid_request', 'Only a device has a PIN.')
  const { device_id, tenant_id } = by
  const tried = await tryPin(db, {
    tenant_id,
    device_id,
    hash: await hashPin(device_id, pin),
    max: maxPinFailures,
    lock_seconds: pinLock_seconds,
  })
  return describeTry(tried)
}

function describeTry({ correct, failures, locked_seconds }: PinTry): PinCheck {
  if (correct) return { correct, tries_left: maxPinFailures }
  const tries_left = maxPinFailures - failures
  return { correct, tries_left, ...(tries_left === 0 && { locked_seconds }) }
}
