import fc from 'fast-check'
import { expect, test } from 'vitest'
import { redirectBinding } from '../test/fixture.ts'
import type { TrustContext, VerifierRequest } from './presentation.ts'
import { verifyPresentation } from './verify-presentation.ts'

const request: VerifierRequest = {
  binding: redirectBinding,
  created_at: 1_800_000_000,
  dcql_query: {
    credentials: [
      { id: 'pid', format: 'dc+sd-jwt', meta: {}, claims: [{ path: ['given_name'] }] },
      { id: 'mdl', format: 'mso_mdoc', meta: {}, multiple: true },
    ],
  },
}
const trust: TrustContext = { anchors: [], lookUpStatus: async () => undefined, status_unavailable: 'fail' }
const verify = (vp_token: unknown) => verifyPresentation(request, vp_token, trust, 1_800_000_100)

test('[OID4VP-16] a presentation in no known format is malformed and reported by its query id', async () => {
  expect(await verify({ pid: ['a.b.c~d~'] })).toMatchObject({
    status: 'failed',
    claims: {},
    credentials: [
      {
        format: 'dc+sd-jwt',
        claims: {},
        trusted: false,
        signature_valid: false,
        holder_binding_valid: false,
      },
    ],
    error: { code: 'credential_malformed', message: expect.stringContaining('Credential "pid"') },
  })
  expect(await verify({ mdl: ['AAAA'] })).toMatchObject({
    credentials: [{ format: 'mso_mdoc' }],
    error: { code: 'credential_malformed', message: expect.stringContaining('Credential "mdl"') },
  })
})

test('no random wallet input makes it throw or completes the verification (N = 2,000)', async () => {
  const token = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.base64String().map((text) => text.replaceAll(/[+/=]/g, '_')),
    fc
      .array(fc.json().map((text) => Buffer.from(text).toString('base64url')))
      .map((parts) => `${parts.join('.')}~`),
  )
  const vpToken = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(
      fc.constantFrom('pid', 'mdl', '__proto__', 'constructor'),
      fc.oneof(fc.jsonValue(), fc.array(token)),
    ),
  )
  await fc.assert(
    fc.asyncProperty(vpToken, async (vp_token) => {
      const outcome = await verify(vp_token)
      expect(outcome.status).toBe('failed')
      expect(outcome.error?.message).toBeTypeOf('string')
    }),
    { numRuns: 2000 },
  )
})
