import { afterAll, beforeAll, expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { pairDevice } from '../../../test/pair-device.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { signIn } from '../../../test/sign-in/browser.ts'
import { setBrand, setHolderPage } from '../../accounts/index.ts'
import { sql } from '../../engine/db/sql.ts'

let service: Service
let merchant: Merchant
beforeAll(async () => {
  service = await startService()
  merchant = await service.tenant()
})
afterAll(() => service[Symbol.asyncDispose]())

const changeDevice = (id: string, body: object) => merchant.request('PATCH', `/v1/devices/${id}`, { body })

test('a till knows its merchant, and what its device is set to', async () => {
  const { id, device } = await pairDevice(service, merchant)
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  await setBrand(service.ctx, { by, brand: { display_name: 'Harbour Wines', colour: '#7a1f3d' } })
  await changeDevice(id, { pin: '4711', keep_awake: true, purpose: 'Age check for alcohol' })

  expect((await device.get('/v1/devices/till')).body).toEqual({
    merchant: { name: 'Harbour Wines', colour: '#7a1f3d' },
    test: true,
    keep_awake: true,
    pin: true,
    edited_languages_only: false,
    purpose: 'Age check for alcohol',
  })
  for (const purpose of ['', 'x'.repeat(301), 1])
    expect((await changeDevice(id, { purpose })).status).toBe(400)
  await changeDevice(id, { keep_awake: false })
  expect((await device.get('/v1/devices/till')).body.purpose).toBe('Age check for alcohol')
  await changeDevice(id, { purpose: null })
  expect((await device.get('/v1/devices/till')).body).not.toHaveProperty('purpose')
  const details = JSON.stringify(
    await service.ctx.db.query(sql`select detail from audit_inbox where subject = ${id} order by id`),
  )
  expect(details).toMatch(/"purpose":"set".*"purpose":"removed"/)
  expect(details).not.toContain('alcohol')
  await setHolderPage(service.ctx, { by, edited_languages_only: true })
  expect((await device.get('/v1/devices/till')).body.edited_languages_only).toBe(true)
})

test('a member sets PIN and screen in the dashboard, and sees only whether there is a PIN', async () => {
  const { id, device } = await pairDevice(service, merchant)
  const owner = await signIn(service, merchant)
  const params = { environment: 'test', id } as const
  const read = async () => {
    const { data } = (await owner.call('listDevices', { params })).body
    return data.find((each: { id: string }) => each.id === id)
  }
  expect(await read()).toMatchObject({ pin: false, keep_awake: false })

  const changed = await owner.call('changeDevice', {
    params,
    body: { pin: '4711', keep_awake: true, purpose: 'Age check' },
  })
  expect(changed.body).toMatchObject({ pin: true, keep_awake: true, purpose: 'Age check' })
  expect(await read()).toMatchObject({ pin: true, keep_awake: true })
  expect((await device.post('/v1/devices/till/pin', { pin: '4711' })).body.correct).toBe(true)
  await owner.call('changeDevice', { params, body: { pin: null } })
  expect(await read()).toMatchObject({ pin: false, keep_awake: true })
})

test('[PIN-1] five wrong PINs lock for a minute, also the right one, and the right one in time starts again', async () => {
  const { id, device } = await pairDevice(service, merchant)
  const check = async (pin: string) => (await device.post('/v1/devices/till/pin', { pin })).body
  expect(await check('0000')).toEqual({ correct: true, tries_left: 5 })
  await changeDevice(id, { pin: '4711' })

  expect(await check('0000')).toEqual({ correct: false, tries_left: 4 })
  expect(await check('4711')).toEqual({ correct: true, tries_left: 5 })
  const wrong = await Promise.all(Array.from({ length: 5 }, () => check('0000')))
  expect(wrong.map(({ tries_left }) => tries_left).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4])
  expect(await check('4711')).toEqual({ correct: false, tries_left: 0, locked_seconds: expect.any(Number) })
  await setClockOffset(service.ctx.db, '61 seconds')
  try {
    expect(await check('0000')).toEqual({ correct: false, tries_left: 4 })
    expect(await check('4711')).toEqual({ correct: true, tries_left: 5 })
  } finally {
    await setClockOffset(service.ctx.db, '0 seconds')
  }
  await changeDevice(id, { pin: null })
  expect((await device.get('/v1/devices/till')).body.pin).toBe(false)
})

test('[PIN-1] a PIN has 4 to 8 digits and is in no response', async () => {
  const { id } = await pairDevice(service, merchant)
  for (const pin of ['123', '123456789', 'abcd', '12 34', 4711])
    expect((await changeDevice(id, { pin })).status).toBe(400)
  const changed = await changeDevice(id, { pin: '4711' })

  expect(changed.text).not.toContain('4711')
  expect(changed.body).not.toHaveProperty('pin')
})
