import type { Service } from './service.ts'
import { openWallet, type WalletOptions } from './wallet.ts'

/** A verification of a new merchant, with functions to read it and to respond as a wallet. */
export async function newVerification(service: Service, body: object = { template: 'age_over_18' }) {
  const merchant = await service.tenant()
  const created = (await merchant.post('/v1/verifications', body)).body
  const read = async () => (await merchant.get(`/v1/verifications/${created.id}`)).body
  const respond = async (options: WalletOptions = {}) => {
    const wallet = await openWallet(service.ctx, service.address, options)
    const responded = await wallet.respond(created.wallet_uri)
    if (!responded.sent) throw new Error(JSON.stringify(responded.violations))
    return { status: responded.http_status, body: JSON.parse(responded.body) }
  }
  return { merchant, id: created.id, wallet_uri: created.wallet_uri, read, respond }
}
