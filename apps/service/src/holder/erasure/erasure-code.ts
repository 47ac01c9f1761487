import { timingSafeEqual } from 'node:crypto'
import { cellOfVerificationId } from '../../engine/basics/index.ts'
import type { Keyring } from '../../engine/keyring/index.ts'

type Keys = Pick<Keyring, 'hashingOf' | 'mac'>

const mac_bytes = 16
const mac_characters = 22
const codePattern = /^ve_([0-9A-Za-z][A-Za-z0-9_-]{30})[A-Za-z0-9_-]{22}$/

/**
 * What proves that somebody is the holder of a verification: its id, which names the cell and the day, and a MAC of 128 bits over it and its
 * tenant. Nothing is stored. The id alone, which merchant, screens and logs know, erases nothing.
 */
export async function writeErasureCode(
  keyring: Keys,
  { tenant_id, id }: { tenant_id: string; id: string },
): Promise<string> {
  return `ve_${id.slice('vs_'.length)}${await macOf(keyring, { tenant_id, id })}`
}

/** The verification of a code of this tenant, or undefined. A wrong code costs as much as a right one. */
export async function readErasureCode(
  keyring: Keys,
  { tenant_id, code }: { tenant_id: string; code: string },
): Promise<string | undefined> {
  const id = `vs_${codePattern.exec(code)?.[1] ?? ''}`
  const expected = Buffer.from(await macOf(keyring, { tenant_id, id }))
  const given = Buffer.alloc(mac_characters)
  given.write(code.slice(-mac_characters), 'latin1')
  return timingSafeEqual(given, expected) && codePattern.test(code) ? id : undefined
}

async function macOf(keyring: Keys, { tenant_id, id }: { tenant_id: string; id: string }): Promise<string> {
  const hashing = await keyring.hashingOf(cellOfVerificationId(id))
  return hashing.mac('erasure code', tenant_id, id).subarray(0, mac_bytes).toString('base64url')
}

/**
 * Proof that a browser had the page of a verification open while it waited for a wallet. Only such a browser gets the code: whoever learns
 * the address later does not.
 */
export function browserProof(keyring: Pick<Keyring, 'mac'>, id: string): string {
  return keyring.mac('holder browser', id).subarray(0, mac_bytes).toString('base64url')
}

/** A browser keeps the proofs of the last pages that it opened. */
export const maxBrowserProofs = 8
export const browserProof_seconds = 86_400

/** The proofs with that of another verification before them, without the oldest. */
export function addBrowserProof(proofs: string | undefined, proof: string): string {
  const others = splitProofs(proofs).filter((each) => each !== proof)
  return [proof, ...others].slice(0, maxBrowserProofs).join('')
}

export function hasBrowserProof(proofs: string | undefined, proof: string): boolean {
  const wanted = Buffer.from(proof)
  return splitProofs(proofs).some((each) => timingSafeEqual(Buffer.from(each), wanted))
}

function splitProofs(proofs = ''): string[] {
  return proofs.match(new RegExp(`[A-Za-z0-9_-]{${mac_characters}}`, 'g')) ?? []
}
