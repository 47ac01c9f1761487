import { setTimeout as sleep } from 'node:timers/promises'
import type { Check } from '../check.ts'
import { dateTime, matches, members, must, refused, same, succeeded } from '../expect.ts'
import { credentialMembers, pairDevice, registerDevice, verificationMembers } from '../shapes.ts'

export const states: readonly Check[] = [
  {
    ids: 'WRES-6, READ-5, READ-7, RESULT-1, TPL-4',
    title: 'a trusted answer completes the session, with claims and credentials, and without wallet_uri',
    needs: ['wallet'],
    async run({ create, call, wallet }) {
      const created = await create()
      same((await wallet?.(created.body.wallet_uri))?.http_status, 200, "the status of the wallet's answer")
      const { body } = await call('GET', `/v1/verifications/${created.body.id}`)
      members(body, verificationMembers.required, verificationMembers.optional)
      same(body.status, 'completed', 'status')
      same(body.claims, { age_over_18: true }, 'claims')
      same(
        [body.wallet_uri, body.request_uri, body.error],
        [undefined, undefined, undefined],
        'wallet_uri, request_uri and error',
      )
      matches(body.responded_at, dateTime, 'responded_at')
      must(body.credentials.length > 0, 'credentials should hold what was presented')
      for (const credential of body.credentials) {
        members(credential, credentialMembers)
        members(credential.issuer, [], ['common_name', 'country'])
        same(
          [credential.trusted, credential.signature_valid, credential.holder_binding_valid],
          [true, true, true],
          'the checks',
        )
        for (const finding of credential.findings)
          must(finding.status !== 'pass', 'findings should list non-pass checks only')
      }
    },
  },
  {
    ids: 'WREQ-1, WREQ-2, WRES-5, WRES-7, READ-7',
    title: 'a holder who declines leaves a failed session with an error and no claims',
    async run({ create, call, decline }) {
      const created = await create()
      same((await decline(created.body.wallet_uri)).http_status, 200, "the status of the wallet's answer")
      const { body } = await call('GET', `/v1/verifications/${created.body.id}`)
      same(body.status, 'failed', 'status')
      members(body.error, ['code', 'message'])
      same(body.error.code, 'holder_declined', 'error.code')
      same(
        [body.claims, body.wallet_uri, body.request_uri],
        [undefined, undefined, undefined],
        'claims, wallet_uri and request_uri',
      )
    },
  },
  {
    ids: 'WRES-3, WREQ-3',
    title: 'a second answer is 409 session_already_responded, and changes nothing',
    async run({ create, call, decline }) {
      const { body } = await create()
      await decline(body.wallet_uri)
      const before = await call('GET', `/v1/verifications/${body.id}`)
      const second = await call('POST', `/wallet/response/${body.id}`, {
        key: null,
        raw: 'error=access_denied&state=x',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      refused(second, 409, 'session_already_responded')
      same((await call('GET', `/v1/verifications/${body.id}`)).body, before.body, 'the session')
    },
  },
  {
    ids: 'WRES-5, WRES-1',
    title: 'rubbish is 400 and leaves the session pending',
    async run({ create, call }) {
      const { body } = await create()
      for (const raw of ['', 'response=x', 'vp_token=x', 'response=a.b.c.d.e', '{}']) {
        const answer = await call('POST', `/wallet/response/${body.id}`, {
          key: null,
          raw,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        })
        same(answer.status, 400, `the status of an answer that is ${JSON.stringify(raw)}`)
        must(typeof answer.body?.error?.code === 'string', 'the refusal should be in the envelope')
      }
      same((await call('GET', `/v1/verifications/${body.id}`)).body.status, 'pending', 'status')
    },
  },
  {
    ids: 'ERASE-1, ERASE-2, USE-3',
    title: 'an erased session is gone on every route, and stays counted',
    async run({ create, call }) {
      const { body } = await create()
      const used = (await call('GET', '/v1/usage')).body.verifications_created
      const erased = await call('DELETE', `/v1/verifications/${body.id}`)
      succeeded(erased, 200)
      members(erased.body, ['id', 'deleted', 'erased_at'])
      same(erased.body.id, body.id, 'id')
      const none = { verification_sessions: 1, verification_results: 0, webhook_deliveries: 0 }
      same(erased.body.deleted, none, 'deleted')
      matches(erased.body.erased_at, dateTime, 'erased_at')
      const path = `/v1/verifications/${body.id}`
      refused(await call('GET', path), 404, 'session_not_found')
      refused(await call('GET', `${path}/status`, { key: null }), 404, 'session_not_found')
      refused(await call('DELETE', path), 404, 'session_not_found')
      refused(await call('GET', `/wallet/request/${body.id}`, { key: null }), 404, 'session_not_found')
      must(
        (await call('GET', '/v1/usage')).body.verifications_created >= used,
        'an erasure should not lower the usage',
      )
    },
  },
  {
    ids: 'TOKEN-2, TOKEN-6, DEV-5',
    title: 'a spent refresh token ends the device and every token it holds',
    async run(world) {
      const { call } = world
      const first = await pairDevice(world)
      const refresh = (token: string) =>
        call('POST', '/v1/devices/token', { key: null, body: { refresh_token: token } })
      const second = await refresh(first.refresh_token)
      succeeded(second, 200)
      same((await refresh(first.refresh_token)).status, 400, 'the status of the second presentation')
      refused(await world.create({}, { key: second.body.access_token }), 401, 'invalid_api_key')
      same(
        (await refresh(second.body.refresh_token)).status,
        400,
        "the status of the successor's presentation",
      )
      const { data } = (await call('GET', '/v1/devices')).body
      const device = data.find(({ id }: { id: string }) => id === first.device.id)
      same(device?.status, 'revoked', 'the status of the device')
    },
  },
  {
    ids: 'DEV-4',
    title: 'revoking twice gives the same row twice; a pending device can be revoked',
    async run(world) {
      const { device, pairing_code } = await registerDevice(world)
      const once = await world.call('DELETE', `/v1/devices/${device.id}`)
      succeeded(once, 200)
      same(once.body.status, 'revoked', 'status')
      matches(once.body.revoked_at, dateTime, 'revoked_at')
      const twice = await world.call('DELETE', `/v1/devices/${device.id}`)
      succeeded(twice, 200)
      same(twice.body, once.body, 'the second answer')
      same(
        (await world.call('POST', '/v1/devices/enroll', { key: null, body: { pairing_code } })).status,
        400,
        'enrolling then',
      )
    },
  },
  {
    ids: 'READ-6, WREQ-3, WRES-4',
    title: 'a session that ran out is expired on every route',
    needs: ['patience'],
    async run({ create, call }) {
      const { body } = await create({ ttl_seconds: 60 })
      await sleep(Date.parse(body.expires_at) - Date.now() + 1000)
      const read = await call('GET', `/v1/verifications/${body.id}`)
      same([read.body.status, read.body.wallet_uri], ['expired', undefined], 'status and wallet_uri')
      same((await call('GET', `/v1/verifications/${body.id}/status`)).body.status, 'expired', 'status')
      refused(await call('GET', `/wallet/request/${body.id}`, { key: null }), 410, 'session_expired')
    },
  },
]
