import { hash, randomBytes } from 'node:crypto'
import {
  type Environment,
  type RegisterSealingKey,
  type RegisteredSealingKey,
  maxSealingKeys,
  sealingChallenge_seconds,
} from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { computeThumbprint, encryptToRecipients, importRecipient } from '../../engine/formats/index.ts'
import { lockMaker } from '../api-keys/create-key.ts'
import { lockPlanLimits } from '../tenants/store.ts'
import { getSealingKey } from './list-keys.ts'
import { insertSealingKey, readSealingKeys } from './store.ts'

type RegisterKey = RegisterSealingKey & { by: NewAuditEntry['by']; environment: Environment }

const challenge_bytes = 32

/**
 * Registers a public key and returns a challenge that only the private key opens: a key that nobody has would seal results for ever. It
 * seals nothing before the challenge is answered.
 */
export async function registerSealingKey(
  { db }: Pick<Context, 'db'>,
  { by, environment, jwk: given, name }: RegisterKey,
): Promise<RegisteredSealingKey> {
  const { tenant_id } = by
  const { kty, crv, x, y } = given
  const jwk = { kty, crv, x, y }
  const kid = computeThumbprint(jwk)
  const recipient = importRecipient(kid, jwk)
  if (recipient === undefined)
    throw new Refusal('invalid_request', 'jwk: x and y are not a point of the curve P-256.')
  const opened = randomBytes(challenge_bytes).toString('base64url')
  const challenge = encryptToRecipients(opened, [recipient])
  await db.transaction(async (tx) => {
    await lockMaker(tx, by, 'manage_settings')
    // The lock also makes a concurrent registration count this key.
    if ((await lockPlanLimits(tx, tenant_id)) === undefined)
      throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)
    const usable = (await readSealingKeys(tx, { tenant_id, environment })).filter(
      (key) => key.state !== 'retired' && key.kid !== kid,
    )
    if (usable.length >= maxSealingKeys)
      throw new Refusal(
        'too_many',
        `Results can be sealed to ${maxSealingKeys} keys in an environment. Retire one first.`,
      )
    const inserted = await insertSealingKey(tx, {
      tenant_id,
      environment,
      kid,
      jwk,
      name: name ?? null,
      challenge_hash: hashOpened(opened),
      challenge_seconds: sealingChallenge_seconds,
    })
    if (!inserted)
      throw new Refusal('sealing_conflict', `The key ${kid} is registered already. Create a new one.`)
    await appendAudit(tx, { action: 'sealing_key.registered', by, detail: { environment, kid } })
  })
  return { key: await getSealingKey({ db }, { tenant_id, environment, kid }), challenge }
}

/** A random text of 256 bits: a plain hash cannot be reversed. */
export function hashOpened(opened: string): Buffer {
  return hash('sha256', opened, 'buffer')
}
