import { caller } from './caller.ts'
import type { Merchant, Service } from './service.ts'

export const till = { name: 'Till 7', allowed_templates: ['age_over_18'] }

/** Registers a device and pairs it. */
export async function pairDevice(
  service: Pick<Service, 'anonymous'> & { address: string },
  merchant: Merchant,
  device: object = till,
) {
  const registered = (await merchant.post('/v1/devices', device)).body
  const { body } = await service.anonymous.post('/v1/devices/enroll', {
    pairing_code: registered.pairing_code,
  })
  return {
    ...registered,
    tokens: body,
    device: caller(service.address, body.access_token),
    id: body.device.id,
  }
}
