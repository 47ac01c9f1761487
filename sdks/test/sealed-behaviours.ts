import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { PublicKeyJwk } from '../../apps/service/src/engine/formats/index.ts'
import { sealOutcome } from '../../apps/service/src/verifications/wallet/seal-outcome.ts'
import type { Outcome, Program } from './program.ts'

type Given = Record<string, unknown>

/** What every SDK does with sealed results. */
export const sealedBehaviours: Record<string, (world: { sdk: Program }) => Promise<void>> = {
  async 'every published sealed result opens, or is refused for its reason'({ sdk }) {
    expect(sealedVectors.cases.length).toBeGreaterThan(5)
    for (const { name, verification, key, claims, reason } of sealedVectors.cases) {
      const { value, error } = await open(sdk, verification, key)
      expect([name, error?.reason]).toEqual([name, reason])
      if (reason === undefined) expect([name, value.claims]).toEqual([name, claims])
    }
  },

  async 'what was sealed counts, not what is readable beside it'({ sdk }) {
    const { verification, claims } = sealedToOne
    const changed = { age_over_18: false, is_resident: true }
    const both = { ...verification, claims: { ...changed, ...verification.claims } }
    expect((await open(sdk, both, 'other', 'current')).value.claims).toEqual(claims)
  },

  async 'what the service seals today opens with its credentials'({ sdk }) {
    const { kty, crv, x, y } = sealedVectors.keys.current
    const [{ header } = unknown] = sealedToOne.verification.claims['_sealed'].recipients
    const keys = [{ kid: header.kid, jwk: { kty, crv, x, y } as PublicKeyJwk }]
    const claims = { family_name: 'Łukasz-Ünal 🪪', is_resident: true }
    const issuer = { common_name: 'Test issuer', country: 'UT' }
    const checks = { trusted: true, signature_valid: true, holder_binding_valid: true, findings: [] }
    const credential = {
      format: 'dc+sd-jwt' as const,
      doctype_or_vct: 'urn:eudi:pid:1',
      claims,
      issuer,
      ...checks,
    }
    const sealed = sealOutcome(
      { status: 'completed', claims, credentials: [credential] },
      { id: 'vs_1', environment: 'test', now: 1_794_000_000, keys, clear_claims: ['is_resident'] },
    )
    expect(sealed.claims).toMatchObject({ is_resident: true })
    const { value } = await open(sdk, { id: 'vs_1', ...sealed }, 'current')
    expect(value).toMatchObject({ claims, credentials: [credential] })
  },

  async 'what is not sealed is returned as it is, with or without a key'({ sdk }) {
    const verification = { ...common, id: 'vs_1', claims: { age_over_18: true } }
    for (const keys of [[], ['current']])
      expect((await open(sdk, verification, ...keys)).value.claims).toEqual(verification.claims)
  },

  async 'keys that it was not sealed to are named beside those that are needed'({ sdk }) {
    const [{ header } = unknown] = sealedToOne.verification.claims['_sealed'].recipients
    for (const keys of [[], ['other'], ['other', 'next']]) {
      const { error } = await open(sdk, sealedToOne.verification, ...keys)
      expect(error).toMatchObject({ kind: 'sealed', reason: 'no_key' })
      expect(error?.message).toContain(`sealed to ${header.kid}; you gave ${keys.length === 0 ? 'none' : ''}`)
    }
  },

  async 'the result of another verification is refused'({ sdk }) {
    const { error } = await open(sdk, { ...sealedToOne.verification, id: 'vs_other' }, 'current')
    expect(error).toMatchObject({ kind: 'sealed', reason: 'other_verification' })
    expect(error?.message).toContain('vs_other')
  },

  async 'one changed bit anywhere is refused'({ sdk }) {
    for (const member of ['iv', 'tag', 'ciphertext', 'protected', 'encrypted_key', 'x', 'y']) {
      const { error } = await open(sdk, changeBit(sealedToTwo.verification, member), 'current')
      expect([member, error]).toEqual([
        member,
        expect.objectContaining({ kind: 'sealed', reason: 'damaged' }),
      ])
    }
    const { error } = await open(sdk, changeBit(sealedToTwo.verification, 'kid'), 'current')
    expect(error?.reason).toBe('no_key')
  },

  async 'a sealed result of another shape or algorithm is refused, and nothing else is thrown'({ sdk }) {
    const { verification } = sealedToTwo
    const sealed = verification.claims['_sealed']
    const changed = (members: Given) =>
      open(sdk, { ...verification, claims: { _sealed: { ...sealed, ...members } } }, 'current')
    const [first = unknown] = sealed.recipients
    const shapes: Given[] = [
      ...['protected', 'iv', 'tag', 'ciphertext'].flatMap((member) => [
        { [member]: 7 },
        { [member]: '' },
        { [member]: 'é' },
      ]),
      ...['x', { a: 1 }, 7, ['x'], [{}], [{ header: 'x', encrypted_key: 1 }]].map((recipients) => ({
        recipients,
      })),
      ...[7, '', first.encrypted_key.slice(0, 20)].map((encrypted_key) => ({
        recipients: [{ ...first, encrypted_key }],
      })),
      ...[undefined, 'x', { x: 1, y: 2 }, { x: '', y: '' }].map((epk) => ({
        recipients: [{ ...first, header: { ...first.header, epk } }],
      })),
      { protected: Buffer.from('[]').toString('base64url') },
      { tag: sealed.tag.slice(0, 16) },
    ]
    for (const members of shapes) {
      const { error } = await changed(members)
      expect([members, error?.kind]).toEqual([members, 'sealed'])
      expect([members, ['damaged', 'no_key', 'unsupported']]).toEqual([
        members,
        expect.arrayContaining([error?.reason]),
      ])
    }
    for (const header of [{ alg: 'ECDH-ES' }, { alg: 'none' }, { enc: 'A128GCM' }]) {
      const recipients = [{ ...first, header: { ...first.header, ...header } }]
      expect((await changed({ recipients })).error).toMatchObject({ kind: 'sealed', reason: 'unsupported' })
    }
  },

  async 'a private key that cannot be one is refused, and not repeated'({ sdk }) {
    const { current, other } = sealedVectors.keys
    const { d, ...publicJwk } = current
    for (const key of [
      publicJwk,
      {},
      { ...current, crv: 'P-384' },
      { ...current, kty: 'RSA' },
      { ...current, d: 'AA' },
      { ...current, d: 7 },
    ]) {
      const { error } = await openWith(sdk, sealedToOne.verification, [key])
      expect(error).toMatchObject({ kind: 'sealed', reason: 'unusable_key' })
      expect(error?.message).not.toContain(d)
    }
    // Not every library compares the halves of a key when it reads one.
    const { error } = await openWith(sdk, sealedToOne.verification, [{ ...current, d: other.d }])
    expect(error?.kind).toBe('sealed')
    expect(['unusable_key', 'damaged']).toContain(error?.reason)
  },
}

const common = { status: 'completed', created_at: 't1', expires_at: 't2' }

type SealedCase = {
  name: string
  verification: { id: string; claims: { _sealed: Sealed } }
  key: string
  claims?: Given
  reason?: string
}
type Sealed = Record<'protected' | 'iv' | 'tag' | 'ciphertext', string> & { recipients: Recipient[] }
type Recipient = { encrypted_key: string; header: { kid: string; epk?: { x: string; y: string } } }
const sealedVectors: {
  keys: Record<'current' | 'next' | 'other', Record<string, string>>
  cases: SealedCase[]
} = JSON.parse(
  readFileSync(new URL('../../packages/sdk/vectors/sealed-results.json', import.meta.url), 'utf8'),
)
const unknown: Recipient = { encrypted_key: '', header: { kid: 'there is no recipient' } }
const sealedToOne = findCase('sealed to one key')
const sealedToTwo = findCase('sealed to two keys, opened by the first')

function findCase(wanted: string): SealedCase {
  const found = sealedVectors.cases.find(({ name }) => name === wanted)
  if (found === undefined) throw new Error(`there is no vector "${wanted}"`)
  return found
}

function open(sdk: Program, verification: Given, ...names: string[]): Promise<Outcome> {
  const keys: Record<string, Given> = sealedVectors.keys
  return openWith(
    sdk,
    verification,
    names.map((name) => keys[name]),
  )
}

function openWith(sdk: Program, verification: Given, keys: unknown[]): Promise<Outcome> {
  const client = { base_url: 'https://verify.example', api_key: 'vk_test_0abc' }
  return sdk.ask({ client, do: 'open', with: { verification: { ...common, ...verification }, keys } })
}

/** Changes the first bit of what a member encodes. */
function changeBit({ claims, ...verification }: SealedCase['verification'], member: string): Given {
  const text = JSON.stringify(claims['_sealed']).replace(
    new RegExp(`"${member}":"([^"]+)"`),
    (_, encoded: string) => {
      const bytes = Buffer.from(encoded, 'base64url')
      bytes[0] = (bytes[0] ?? 0) ^ 0x80
      return `"${member}":"${bytes.toString('base64url')}"`
    },
  )
  return { ...verification, claims: { _sealed: JSON.parse(text) } }
}
