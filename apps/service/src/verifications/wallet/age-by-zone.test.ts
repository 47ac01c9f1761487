import { fullDate, type Format, type UnsignedCredential } from '@vidimus/sandbox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { openWallet, type HolderChannel } from '../../../test/wallet.ts'
import { setPolicies } from '../../accounts/index.ts'

const hour_ms = 3_600_000
const day_ms = 24 * hour_ms
const tomorrow_ms = Math.ceil(Date.now() / day_ms) * day_ms

let service: Service
let merchant: Merchant
beforeAll(async () => {
  service = await startService()
  merchant = await service.tenant()
})
afterAll(() => service[Symbol.asyncDispose]())

function bornBefore(years: number, day_at_ms: number): string {
  const day = new Date(day_at_ms).toISOString().slice(0, 10)
  return `${Number(day.slice(0, 4)) - years}${day.slice(4)}`
}

/** A PID without age attributes of someone born on this day. */
function withBirthDate(credential: UnsignedCredential, birth_date: string): UnsignedCredential {
  if (credential.format === 'dc+sd-jwt')
    return { ...credential, claims: { ...credential.claims, birthdate: birth_date } }
  const elements = credential.claims[credential.type]
  return {
    ...credential,
    claims: { ...credential.claims, [credential.type]: { ...elements, birth_date: fullDate(birth_date) } },
  }
}

type Holder = { birth_date: string; format: Format; channel: HolderChannel; offset_ms: number }

async function isAdult({ birth_date, format, channel, offset_ms }: Holder): Promise<boolean> {
  const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  const wallet = await openWallet(service.ctx, service.address, {
    persona: 'no_portrait',
    format,
    now: () => new Date(Date.now() + offset_ms),
    alterations: { credential: (credential) => withBirthDate(credential, birth_date) },
  })
  expect(await wallet.respondOver(channel, body.id)).toMatchObject({ sent: true, http_status: 200 })
  const { status, error, claims } = (await merchant.get(`/v1/verifications/${body.id}`)).body
  expect(error?.code ?? claims).toEqual(
    status === 'completed' ? { age_over_18: true } : 'requirement_not_met',
  )
  return status === 'completed'
}

const channels: { format: Format; channel: HolderChannel }[] = [
  { format: 'dc+sd-jwt', channel: 'redirect' },
  { format: 'dc+sd-jwt', channel: 'dc_api' },
  { format: 'mso_mdoc', channel: 'redirect' },
  { format: 'mso_mdoc', channel: 'annex_c' },
]

describe.each([
  { at: '03:00', hour: 3, birthday_ms: tomorrow_ms, zone: 'America/Los_Angeles', adult: false, utc: true },
  {
    at: '20:00',
    hour: 20,
    birthday_ms: tomorrow_ms + day_ms,
    zone: 'Pacific/Auckland',
    adult: true,
    utc: false,
  },
])('the 18th birthday at $at UTC', ({ hour, birthday_ms, zone, adult, utc }) => {
  const birth_date = bornBefore(18, birthday_ms)
  let offset_ms = 0
  beforeAll(async () => {
    offset_ms = tomorrow_ms + hour * hour_ms - Date.now()
    await setClockOffset(service.ctx.db, `${offset_ms} milliseconds`)
  })

  test.each(channels)(`counts by the day in ${zone}: $format over $channel`, async (over) => {
    const { tenant_id } = merchant
    await setPolicies(service.ctx, { tenant_id, time_zone: zone })
    expect(await isAdult({ ...over, birth_date, offset_ms })).toBe(adult)
    await setPolicies(service.ctx, { tenant_id, time_zone: 'UTC' })
    expect(await isAdult({ ...over, birth_date, offset_ms })).toBe(utc)
  })
})
