import { expect, test, describe } from 'vitest'
import { makeFixture, redirectBinding, withBinding } from '../test/fixture.ts'
import { presentMdoc } from '../test/mdoc.ts'
import { presentSdJwt } from '../test/sd-jwt.ts'
import { hasFailure } from './findings.ts'
import { verifyMdoc } from './mdoc/verify.ts'
import type { DcApiBinding, ResponseBinding } from './presentation.ts'
import { verifySdJwt } from './sd-jwt/verify.ts'

const fixture = makeFixture()
const { encryption_key_thumbprint, ...unencrypted } = redirectBinding
const { nonce } = redirectBinding
const dcApi: DcApiBinding = {
  channel: 'dc_api',
  origin: 'https://shop.example',
  nonce,
  encryption_key_thumbprint,
}
const annexC: ResponseBinding = { channel: 'annex_c', origin: 'https://shop.example', encryption_info: nonce }

/** What they share is the same, so that only the channel tells them apart. */
const bindings: Record<string, ResponseBinding> = {
  redirect: redirectBinding,
  'redirect without encryption': unencrypted,
  'redirect to a client named like an origin': {
    ...redirectBinding,
    client_id: 'origin:https://shop.example',
  },
  dc_api: dcApi,
  'dc_api of another origin': { ...dcApi, origin: 'https://other.example' },
  'dc_api of the same host with a port': { ...dcApi, origin: 'https://shop.example:8443' },
  'dc_api with another key': { ...dcApi, encryption_key_thumbprint: 'AAAA' },
  'dc_api with another nonce': { ...dcApi, nonce: 'another' },
  annex_c: annexC,
  'annex_c of another origin': { ...annexC, origin: 'https://other.example' },
  'annex_c with another encryptionInfo': { ...annexC, encryption_info: 'another' },
  proximity: { channel: 'proximity', transcript: Buffer.of(0x83, 1, 2, 0xf6) },
  'proximity in another session': { channel: 'proximity', transcript: Buffer.of(0x83, 1, 3, 0xf6) },
}

describe('[DC-3] a document that was signed for one binding is accepted for no other', () => {
  test.each(Object.keys(bindings))('mdoc for %s', (signedFor) => {
    const signed = presentMdoc(withBinding(fixture, bindings[signedFor] ?? redirectBinding))
    const accepted = Object.entries(bindings).filter(([, binding]) => {
      const { findings } = verifyMdoc(signed, withBinding(fixture, binding).context)
      return !hasFailure(findings)
    })
    expect(accepted.map(([name]) => name)).toEqual([signedFor])
  })

  /** The audience and nonce are all that an SD-JWT VC is bound to; the encryption key is proven by decryption. */
  const boundTo = (binding: ResponseBinding): string => {
    if (binding.channel === 'redirect') return `${binding.client_id} ${binding.nonce}`
    if (binding.channel === 'proximity') return binding.channel
    const text = binding.channel === 'dc_api' ? binding.nonce : binding.encryption_info
    return `origin:${binding.origin} ${text}`
  }

  test.each(Object.keys(bindings))('SD-JWT VC for %s, and none over Annex C and nearby', (signedFor) => {
    const signingBinding = bindings[signedFor] ?? redirectBinding
    const signed = presentSdJwt(withBinding(fixture, signingBinding))
    for (const [name, binding] of Object.entries(bindings)) {
      const { holder_binding_valid } = verifySdJwt(signed, withBinding(fixture, binding).context)
      const carriesSdJwt = binding.channel === 'redirect' || binding.channel === 'dc_api'
      const expected = carriesSdJwt && boundTo(binding) === boundTo(signingBinding)
      expect([name, holder_binding_valid]).toEqual([name, expected])
    }
  })
})

test('the client identifier is not an audience over the Digital Credentials API, and the origin needs its prefix', () => {
  const { context } = withBinding(fixture, dcApi)
  const presentFor = (aud: unknown) =>
    verifySdJwt(presentSdJwt(withBinding(fixture, dcApi), { proof: { payload: { aud } } }), context)
  expect(presentFor('origin:https://shop.example').findings).toEqual([])
  for (const aud of [
    redirectBinding.client_id,
    'https://shop.example',
    'origin:https://shop.example/',
    'web-origin:https://shop.example',
    ['origin:https://shop.example'],
    undefined,
  ]) {
    expect(presentFor(aud).findings).toEqual([
      { check: 'key_binding_audience', status: 'fail', detail: expect.any(String) },
    ])
  }
})

test('[DC-3] an SD-JWT VC is refused over Annex C, whatever it names or leaves out', () => {
  const bound = withBinding(fixture, annexC)
  for (const named of [undefined, null, nonce])
    for (const aud of [undefined, redirectBinding.client_id, 'origin:https://shop.example']) {
      const presentation = presentSdJwt(bound, { proof: { payload: { nonce: named, aud } } })
      expect(verifySdJwt(presentation, bound.context)).toMatchObject({
        holder_binding_valid: false,
        findings: [{ check: 'key_binding', status: 'fail' }],
      })
    }
})
