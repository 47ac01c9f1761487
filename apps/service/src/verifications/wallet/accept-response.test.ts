import { afterAll, beforeAll, expect, test } from 'vitest'
import { newVerification } from '../../../test/verification.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { startService, type Service } from '../../../test/service.ts'
import { openWallet, type WalletOptions } from '../../../test/wallet.ts'
import { sql } from '../../engine/db/sql.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

for (const format of ['dc+sd-jwt', 'mso_mdoc'] as const) {
  test(`[WRES-2] [WRES-6] [READ-5] [READ-7] [TPL-4] [TPL-6] a valid response in ${format} completes the verification`, async () => {
    await using own = await startService()
    const { read, respond } = await newVerification(own)

    expect(await respond({ format })).toEqual({ status: 200, body: {} })

    const verification = await read()
    expect(verification).toMatchObject({ status: 'completed', claims: { age_over_18: true } })
    expect(Object.keys(verification.claims)).toEqual(['age_over_18'])
    expect(verification).not.toHaveProperty('wallet_uri')
    expect(verification).not.toHaveProperty('request_uri')
    expect(verification).not.toHaveProperty('error')
    expect(verification.responded_at).toMatch(/Z$/)
    expect(verification.credentials).toEqual([
      expect.objectContaining({ format, trusted: true, signature_valid: true, holder_binding_valid: true }),
    ])
  })
}

test('[RESULT-1] a credential result has the published members and no others', async () => {
  await using own = await startService()
  const { read, respond } = await newVerification(own, { template: 'identity_basic' })
  await respond({ format: 'dc+sd-jwt' })

  const { credentials, claims } = await read()
  const [credential] = credentials
  expect(Object.keys(credential).toSorted()).toEqual([
    'claims',
    'doctype_or_vct',
    'findings',
    'format',
    'holder_binding_valid',
    'issuer',
    'signature_valid',
    'trusted',
  ])
  expect(Object.keys(credential.issuer).every((name) => ['common_name', 'country'].includes(name))).toBe(true)
  for (const { status } of credential.findings) expect(['fail', 'warning', 'skipped']).toContain(status)
  expect(claims).toMatchObject({
    given_name: expect.any(String),
    family_name: expect.any(String),
    birth_date: expect.any(String),
  })
})

const failures: [title: string, holder: WalletOptions, body: object, code: string][] = [
  ['the holder declines', { behaviour: 'declines' }, { template: 'age_over_18' }, 'holder_declined'],
  ['the holder is too young', { persona: 'minor' }, { template: 'age_over_18' }, 'requirement_not_met'],
  ['the credential has expired', { persona: 'expired' }, { template: 'age_over_18' }, 'credential_expired'],
  [
    '[TRUST-4] the credential was revoked',
    { persona: 'revoked' },
    { template: 'age_over_18' },
    'credential_revoked',
  ],
  [
    '[TRUST-1] the issuer is unknown',
    { persona: 'untrusted_issuer' },
    { template: 'age_over_18' },
    'issuer_untrusted',
  ],
  [
    'the response is signed with another key',
    { persona: 'wrong_holder_key' },
    { template: 'age_over_18' },
    'holder_binding_invalid',
  ],
]
for (const [title, holder, body, code] of failures) {
  test(`[WRES-5] [WRES-7] [RESULT-4] ${title}: 200, failed with ${code}, and no claim is shown`, async () => {
    await using own = await startService()
    const { read, respond } = await newVerification(own, body)

    expect((await respond(holder)).status).toBe(200)

    const verification = await read()
    expect(verification).toMatchObject({ status: 'failed', error: { code, message: expect.any(String) } })
    expect(verification).not.toHaveProperty('claims')
    for (const credential of verification.credentials ?? []) expect(credential.claims).toEqual({})
  })
}

test('[TRUST-2] the live environment never trusts the sandbox issuer', async () => {
  await using own = await startService()
  const merchant = await own.tenant({ environment: 'live' })
  const created = (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
  const wallet = await openWallet(own.ctx, own.address)
  await wallet.respond(created.wallet_uri)

  const { body } = await merchant.get(`/v1/verifications/${created.id}`)
  expect(body).toMatchObject({ status: 'failed', error: { code: 'issuer_untrusted' } })
})

test('[WREQ-1] [WREQ-2] [WREQ-4] [CREATE-8] the request is signed, stays the same, repeats the wallet_nonce and carries the purpose', async () => {
  const { id } = await newVerification(service, { template: 'age_over_18', purpose: 'To sell you a beer' })
  const path = `/wallet/request/${id}`
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }

  const first = await service.anonymous.get(path)
  const second = await service.anonymous.get(path)
  const posted = await service.anonymous.request('POST', path, {
    ...form,
    raw: 'wallet_nonce=abc&wallet_metadata=%7B%7D&x=1',
  })

  expect(first.headers.get('content-type')).toBe('application/oauth-authz-req+jwt')
  expect(first.headers.get('cache-control')).toBe('no-store')
  const [one, two, three] = [first, second, posted].map(({ text }) => claimsOf(text))
  expect([one.nonce, one.state]).toEqual([
    expect.stringMatching(/^[\w-]{43}$/),
    expect.stringMatching(/^[\w-]{43}$/),
  ])
  expect([two.nonce, two.state, two.client_metadata]).toEqual([one.nonce, one.state, one.client_metadata])
  expect([one.wallet_nonce, three.wallet_nonce]).toEqual([undefined, 'abc'])
  // [WREQ-6]
  expect(
    one.dcql_query.credential_sets.every(
      ({ purpose }: { purpose: string }) => purpose === 'To sell you a beer',
    ),
  ).toBe(true)
})

test('[WREQ-6] a query without credential sets gets one that covers it, with the purpose', async () => {
  const query = {
    credentials: [
      {
        id: 'pid',
        format: 'dc+sd-jwt',
        meta: { vct_values: ['urn:eudi:pid:1'] },
        claims: [{ path: ['given_name'] }],
      },
    ],
  }
  const { id, merchant } = await newVerification(service, { query, purpose: 'why' })
  const { dcql_query } = claimsOf((await service.anonymous.get(`/wallet/request/${id}`)).text)

  expect(dcql_query.credential_sets).toEqual([{ options: [['pid']], purpose: 'why' }])
  const text = (await merchant.get(`/v1/verifications/${id}`)).text
  expect(text).not.toContain(claimsOf((await service.anonymous.get(`/wallet/request/${id}`)).text).nonce)
})

test('[WREQ-3] [WRES-3] [WRES-4] an unknown verification is 404, an expired one 410, and one with a response 409, even after it expires', async () => {
  await using own = await startService()
  const open = await newVerification(own)
  const responded = await newVerification(own)
  const erased = await newVerification(own)
  await responded.respond()
  await erased.merchant.delete(`/v1/verifications/${erased.id}`)
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, raw: 'response=x' }
  const outcome = async (id: string) => [
    (await own.anonymous.get(`/wallet/request/${id}`)).body.error.code,
    (await own.anonymous.request('POST', `/wallet/response/${id}`, form)).body.error.code,
  ]

  expect(await outcome(responded.id)).toEqual(['session_already_responded', 'session_already_responded'])
  await setClockOffset(own.ctx.db, '301 seconds')
  expect(await outcome(open.id)).toEqual(['session_expired', 'session_expired'])
  expect(await outcome(responded.id)).toEqual(['session_already_responded', 'session_already_responded'])
  expect(await outcome(erased.id)).toEqual(['session_not_found', 'session_not_found'])
  expect(await outcome('vs_unknown')).toEqual(['session_not_found', 'session_not_found'])
})

test('[WRES-1] [WRES-5] anything that is not a response to this verification is 400 and leaves it pending, and the right wallet can still complete it', async () => {
  const { id, read, respond } = await newVerification(service)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = (raw: string) =>
    service.anonymous.request('POST', `/wallet/response/${id}`, { headers: form, raw })

  for (const raw of [
    '',
    'response=',
    'response=a.b.c.d.e',
    'vp_token=%7B%7D&state=x',
    'error=access_denied',
    'error=access_denied&state=wrong',
    'response=x&response=y',
    'x=1',
    `response=${'A'.repeat(10_000)}`,
  ]) {
    const { status, body } = await post(raw)
    expect([raw.slice(0, 20), status]).toEqual([raw.slice(0, 20), 400])
    expect(['invalid_wallet_response', 'invalid_request']).toContain(body.error.code)
  }
  expect((await read()).status).toBe('pending')
  expect((await respond()).status).toBe(200)
  expect((await read()).status).toBe('completed')
})

const racers = 50
test(
  `[WRES-3] of ${racers} simultaneous valid responses one is accepted, the others are 409`,
  { timeout: 120_000 },
  async () => {
    await using own = await startService()
    const { wallet_uri, read } = await newVerification(own)
    const wallet = await openWallet(own.ctx, own.address)
    // An overloaded process replies 503, and a wallet tries again.
    const respond = async (tries = 20): Promise<number> => {
      const result = await wallet.respond(wallet_uri)
      const status = result.sent ? result.http_status : 0
      return status === 503 && tries > 0 ? respond(tries - 1) : status
    }
    const statuses = await Promise.all(Array.from({ length: racers }, () => respond()))

    expect(statuses.toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: racers - 1 }, () => 409),
    ])
    expect((await read()).status).toBe('completed')
    const [audit] = await own.ctx.db.query(
      sql`select count(*) as n from audit_inbox where action = 'verification.completed'`,
    )
    expect(audit).toEqual({ n: 1 })
  },
)

test("[WREQ-7] [WRES-9] recording the response destroys the verification's secrets, and the response itself is not stored", async () => {
  await using own = await startService()
  const { respond } = await newVerification(own)
  const before = await own.ctx.db.query(sql`select seed is null as gone from verification_sessions`)
  await respond()
  const after = await own.ctx.db.query(sql`select seed is null as gone from verification_sessions`)

  expect([before, after]).toEqual([[{ gone: false }], [{ gone: true }]])
})

test("[RET-1] after the tenant's retention period the claims are deleted and the verification stays", async () => {
  await using own = await startService()
  const { read, respond } = await newVerification(own)
  await respond()
  await setClockOffset(own.ctx.db, '30 days')
  expect((await read()).claims).toEqual({ age_over_18: true })

  await setClockOffset(own.ctx.db, '31 days')

  const later = await read()
  expect(later.status).toBe('completed')
  expect(later).not.toHaveProperty('claims')
  expect(later).not.toHaveProperty('credentials')
})

test('[ERASE-1] [ERASE-3] erasing a completed verification counts its result', async () => {
  await using own = await startService()
  const { merchant, id, respond } = await newVerification(own)
  await respond()

  const { body } = await merchant.delete(`/v1/verifications/${id}`)

  expect(body.deleted).toEqual({ verification_sessions: 1, verification_results: 1, webhook_deliveries: 0 })
  expect(await own.ctx.db.query(sql`select verification_id from verification_results`)).toEqual([])
})

function claimsOf(jwt: string) {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())
}
