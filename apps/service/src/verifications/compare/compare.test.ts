import { afterAll, beforeAll, expect, test } from 'vitest'
import { pairDevice } from '../../../test/pair-device.ts'
import { startService, type Service } from '../../../test/service.ts'
import { newVerification } from '../../../test/verification.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

test('[COMPARE-1] the first decision about a photo stays, and the result does not change', async () => {
  const { merchant, id, respond, read } = await newVerification(service)
  const path = `/v1/verifications/${id}/comparison`
  const early = await merchant.post(path, { same_person: true })
  await respond()
  const before = await read()

  expect([early.status, early.body.error.code]).toEqual([400, 'invalid_request'])
  expect((await merchant.post(path, { same_person: false })).body).toEqual({ id, same_person: false })
  expect((await merchant.post(path, { same_person: true })).body).toEqual({ id, same_person: false })
  expect(await read()).toEqual(before)
})

test('another tenant, and a device that did not ask, get 404', async () => {
  const { merchant, id, respond } = await newVerification(service)
  await respond()
  const { device } = await pairDevice(service, merchant)
  const other = await service.tenant()
  const statuses = await Promise.all(
    [device, other].map(
      async (caller) =>
        (await caller.post(`/v1/verifications/${id}/comparison`, { same_person: true })).status,
    ),
  )
  expect(statuses).toEqual([404, 404])
})
