import { expect, test } from 'vitest'
import { newAccessCertificate } from '../../../test/trust/access-certificate.ts'
import { newRegistration } from '../../../test/trust/registrations.ts'
import { joinPem, newAuthority } from '../../../test/trust/authorities.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { startService } from '../../../test/service.ts'
import { signIn } from '../../../test/sign-in/browser.ts'

test('the live overview says what a live verification needs and whether every one would fail', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const read = async (environment = 'live', by = owner) =>
    (await by.call('getOverview', { params: { environment } })).body.go_live
  expect(await read('test')).toBeUndefined()
  expect(await read()).toMatchObject({
    certificate: 'self_made',
    registration: false,
    trusted_issuers: 0,
    key: false,
    webhook: false,
    every_verification_fails: true,
  })

  const { chain, key } = newAccessCertificate({ days: 60 })
  await owner.call('changeIdentity', { body: { certificate: { chain, key } } })
  await owner.call('addRegistration', { body: { certificate: newRegistration() } })
  await owner.call('addAnchors', {
    params: { environment: 'live' },
    body: { pem: joinPem(newAuthority('Issuer Root').certificate) },
  })
  expect(await read()).toMatchObject({
    certificate: 'ok',
    registration: true,
    trusted_issuers: 1,
    every_verification_fails: true,
  })
  const live = await merchant.as({ environment: 'live', lifetime_days: 90 })
  const { key_id } = live
  expect(await read()).toMatchObject({ key: true, webhook: false, every_verification_fails: false })
  const { body: made } = await live.post('/v1/webhook_endpoints', {
    url: 'https://8.8.8.8/hook',
    events: ['verification.completed'],
  })
  expect(await read()).toMatchObject({ webhook: true })
  await live.patch(`/v1/webhook_endpoints/${made.endpoint.id}`, { enabled: false })
  expect(await read()).toMatchObject({ webhook: false })

  await setClockOffset(service.ctx.db, '31 days')
  const later = await signIn(service, { ...merchant, email: 'later@example.com' })
  expect(await read('live', later)).toMatchObject({
    certificate: 'expires_soon',
    every_verification_fails: false,
  })
  await later.call('revokeKey', { params: { environment: 'live', id: key_id } })
  expect(await read('live', later)).toMatchObject({ key: false, every_verification_fails: true })
  await setClockOffset(service.ctx.db, '61 days')
  const last = await signIn(service, { ...merchant, email: 'last@example.com' })
  expect(await read('live', last)).toMatchObject({ certificate: 'expired', every_verification_fails: true })
})
