import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from './service.ts'
import { openWallet, type WalletOptions } from './wallet.ts'

const maxTries = 40

/**
 * Responds as a sandbox wallet and returns the service's answer. Tries again while the service is overloaded, because it
 * shares the machine with its tests.
 */
export async function respondUntilAccepted(
  { ctx, address }: Pick<Service, 'ctx' | 'address'>,
  wallet_uri: string,
  options: WalletOptions = {},
): Promise<{ redirect_uri?: string }> {
  const wallet = await openWallet(ctx, address, options)
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const result = await wallet.respond(wallet_uri)
    if (result.sent && result.http_status === 200) return JSON.parse(result.body)
    if (result.sent && result.http_status !== 503) throw new Error(JSON.stringify(result))
    await sleep(250)
  }
  throw new Error('the service stayed overloaded')
}
