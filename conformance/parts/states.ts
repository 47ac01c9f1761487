import { setTimeout as sleep } from 'node:timers/promises'
import type { ConformanceCheck } from '../check.ts'
import {
  dateTime,
  assertMatches,
  assertMembers,
  assertThat,
  assertRefused,
  assertEqual,
  assertStatus,
} from '../expect.ts'
import { credentialMembers, pairDevice, registerDevice, verificationMembers } from '../expected-shapes.ts'

export const stateChecks: readonly ConformanceCheck[] = [
  {
    ids: ['WRES-6', 'READ-5', 'READ-7', 'RESULT-1', 'TPL-4'],
    title: 'a trusted response completes the session, with claims and credentials and without wallet_uri',
    needs: ['wallet'],
    async run({ create, call, wallet }) {
      const created = await create()
      assertEqual(
        (await wallet?.(created.body.wallet_uri))?.http_status,
        200,
        "the HTTP status for the wallet's response",
      )
      const { body } = await call('GET', `/v1/verifications/${created.body.id}`)
      assertMembers(body, verificationMembers.required, verificationMembers.optional)
      assertEqual(body.status, 'completed', 'status')
      assertEqual(body.claims, { age_over_18: true }, 'claims')
      assertEqual(
        [body.wallet_uri, body.request_uri, body.error],
        [undefined, undefined, undefined],
        'wallet_uri, request_uri and error',
      )
      assertMatches(body.responded_at, dateTime, 'responded_at')
      assertThat(body.credentials.length > 0, 'credentials should not be empty')
      for (const credential of body.credentials) {
        assertMembers(credential, credentialMembers)
        assertMembers(credential.issuer, [], ['common_name', 'country'])
        assertEqual(
          [credential.trusted, credential.signature_valid, credential.holder_binding_valid],
          [true, true, true],
          'trusted, signature_valid and holder_binding_valid',
        )
        for (const finding of credential.findings)
          assertThat(finding.status !== 'pass', 'findings should list only checks that did not pass')
      }
    },
  },
  {
    ids: ['WREQ-1', 'WREQ-2', 'WRES-5', 'WRES-7', 'READ-7'],
    title: 'if the holder declines, the session fails with an error and no claims',
    async run({ create, call, decline }) {
      const created = await create()
      assertEqual(
        (await decline(created.body.wallet_uri)).http_status,
        200,
        "the HTTP status for the wallet's response",
      )
      const { body } = await call('GET', `/v1/verifications/${created.body.id}`)
      assertEqual(body.status, 'failed', 'status')
      assertMembers(body.error, ['code', 'message'])
      assertEqual(body.error.code, 'holder_declined', 'error.code')
      assertEqual(
        [body.claims, body.wallet_uri, body.request_uri],
        [undefined, undefined, undefined],
        'claims, wallet_uri and request_uri',
      )
    },
  },
  {
    ids: ['WRES-3', 'WREQ-3'],
    title: 'a second response is 409 session_already_responded and changes nothing',
    async run({ create, call, decline }) {
      const { body } = await create()
      await decline(body.wallet_uri)
      const before = await call('GET', `/v1/verifications/${body.id}`)
      const second = await call('POST', `/wallet/response/${body.id}`, {
        key: null,
        raw: 'error=access_denied&state=x',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      assertRefused(second, 409, 'session_already_responded')
      assertEqual((await call('GET', `/v1/verifications/${body.id}`)).body, before.body, 'the session')
    },
  },
  {
    ids: ['WRES-5', 'WRES-1'],
    title: 'an invalid wallet response is 400 and leaves the session pending',
    async run({ create, call }) {
      const { body } = await create()
      for (const raw of ['', 'response=x', 'vp_token=x', 'response=a.b.c.d.e', '{}']) {
        const response = await call('POST', `/wallet/response/${body.id}`, {
          key: null,
          raw,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        })
        assertEqual(response.status, 400, `the HTTP status for the wallet response ${JSON.stringify(raw)}`)
        assertThat(
          typeof response.body?.error?.code === 'string',
          'the refusal should have the error envelope',
        )
      }
      assertEqual((await call('GET', `/v1/verifications/${body.id}`)).body.status, 'pending', 'status')
    },
  },
  {
    ids: ['ERASE-1', 'ERASE-2', 'USE-3'],
    title: 'an erased session is not found on any route, and still counts towards the usage',
    async run({ create, call }) {
      const { body } = await create()
      const used = (await call('GET', '/v1/usage')).body.verifications_created
      const erased = await call('DELETE', `/v1/verifications/${body.id}`)
      assertStatus(erased, 200)
      assertMembers(erased.body, ['id', 'deleted', 'erased_at'])
      assertEqual(erased.body.id, body.id, 'id')
      const none = { verification_sessions: 1, verification_results: 0, webhook_deliveries: 0 }
      assertEqual(erased.body.deleted, none, 'deleted')
      assertMatches(erased.body.erased_at, dateTime, 'erased_at')
      const path = `/v1/verifications/${body.id}`
      assertRefused(await call('GET', path), 404, 'session_not_found')
      assertRefused(await call('GET', `${path}/status`, { key: null }), 404, 'session_not_found')
      assertRefused(await call('DELETE', path), 404, 'session_not_found')
      assertRefused(await call('GET', `/wallet/request/${body.id}`, { key: null }), 404, 'session_not_found')
      assertThat(
        (await call('GET', '/v1/usage')).body.verifications_created >= used,
        'an erasure should not reduce the usage',
      )
    },
  },
  {
    ids: ['TOKEN-2', 'TOKEN-6', 'DEV-5'],
    title: 'a spent refresh token revokes the device and all of its tokens',
    async run(target) {
      const { call } = target
      const first = await pairDevice(target)
      const refresh = (token: string) =>
        call('POST', '/v1/devices/token', { key: null, body: { refresh_token: token } })
      const second = await refresh(first.refresh_token)
      assertStatus(second, 200)
      assertEqual((await refresh(first.refresh_token)).status, 400, 'the status of the second use')
      assertRefused(await target.create({}, { key: second.body.access_token }), 401, 'invalid_api_key')
      assertEqual(
        (await refresh(second.body.refresh_token)).status,
        400,
        'the status of using the new refresh token',
      )
      const { data } = (await call('GET', '/v1/devices')).body
      const device = data.find(({ id }: { id: string }) => id === first.device.id)
      assertEqual(device?.status, 'revoked', 'the status of the device')
    },
  },
  {
    ids: ['DEV-4'],
    title: 'revoking twice returns the same device; a pending device can be revoked',
    async run(target) {
      const { device, pairing_code } = await registerDevice(target)
      const once = await target.call('DELETE', `/v1/devices/${device.id}`)
      assertStatus(once, 200)
      assertEqual(once.body.status, 'revoked', 'status')
      assertMatches(once.body.revoked_at, dateTime, 'revoked_at')
      const twice = await target.call('DELETE', `/v1/devices/${device.id}`)
      assertStatus(twice, 200)
      assertEqual(twice.body, once.body, 'the second response')
      assertEqual(
        (await target.call('POST', '/v1/devices/enroll', { key: null, body: { pairing_code } })).status,
        400,
        'the status of enrolling the revoked device',
      )
    },
  },
  {
    ids: ['READ-6', 'WREQ-3', 'WRES-4'],
    title: 'a session past its expires_at is expired on every route',
    needs: ['slow'],
    async run({ create, call }) {
      const { body } = await create({ ttl_seconds: 60 })
      await sleep(Date.parse(body.expires_at) - Date.now() + 1000)
      const read = await call('GET', `/v1/verifications/${body.id}`)
      assertEqual([read.body.status, read.body.wallet_uri], ['expired', undefined], 'status and wallet_uri')
      assertEqual((await call('GET', `/v1/verifications/${body.id}/status`)).body.status, 'expired', 'status')
      assertRefused(await call('GET', `/wallet/request/${body.id}`, { key: null }), 410, 'session_expired')
    },
  },
]
