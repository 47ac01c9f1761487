import { hkdfSync } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Keyring } from '../../engine/keyring/open.ts'
import { deriveSecrets, type RequestChannel } from './derive-secrets.ts'

/** A ring with a fixed hashing key, which derives as the real one does. */
const keyring = {
  derive: (use: string, seed: Uint8Array, bytes: number) =>
    Buffer.from(hkdfSync('sha256', seed, Buffer.alloc(32, 1), use, bytes)),
} as unknown as Keyring // the function under test only derives
const seed = Buffer.alloc(32, 2)

const channels: RequestChannel[] = [
  { kind: 'redirect' },
  { kind: 'screen' },
  { kind: 'age_app' },
  { kind: 'age_app_screen' },
  { kind: 'dc_api', origin: 'https://shop.example' },
  { kind: 'dc_api', origin: 'https://shop.example:8443' },
  { kind: 'dc_api', origin: 'https://other.example' },
  { kind: 'annex_c', origin: 'https://shop.example' },
  { kind: 'annex_c', origin: 'https://other.example' },
]

test('[DC-3] every channel and every origin has its own nonce, state and encryption key', () => {
  const all = channels.map((channel) => deriveSecrets(keyring, seed, channel))
  for (const secret of ['nonce', 'state', 'encryption_material'] as const) {
    expect(new Set(all.map((secrets) => secrets[secret].toString('hex'))).size).toBe(channels.length)
  }
  for (const channel of channels) {
    expect(deriveSecrets(keyring, seed, channel)).toEqual(deriveSecrets(keyring, seed, { ...channel }))
    expect(deriveSecrets(keyring, Buffer.alloc(32, 3), channel).nonce).not.toBe(
      deriveSecrets(keyring, seed, channel).nonce,
    )
  }
})

test('[DC-3] the secrets of a wallet link never change, so that open verifications survive a deployment', () => {
  const { nonce, state, encryption_material } = deriveSecrets(keyring, seed, { kind: 'redirect' })
  expect({ nonce, state, encryption_material: encryption_material.toString('base64url') }).toEqual({
    nonce: 'LG-2bhjG-3YaQGhr27--iN2dFb2l7JY2juYaxEpIqsk',
    state: 'FmHo6hzdCqeZyFO0m6xNmkbsNUqsUSZgYHKknzAbtKM',
    encryption_material: 'iKXkKO6CVffsZzcrIWB3wcKdq1B_m7el18rSXFutHE1G1Fx1PumObBsGwoAgV_dl',
  })
})
