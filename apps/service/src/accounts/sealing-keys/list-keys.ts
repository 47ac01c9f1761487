import type { SealingKey } from '@vidimus/contract'
import { notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { type EnvironmentOf, type SealingKeyKey, type SealingKeyRow, readSealingKeys } from './store.ts'

export async function listSealingKeys({ db }: Pick<Context, 'db'>, of: EnvironmentOf): Promise<SealingKey[]> {
  return (await readSealingKeys(db, of)).map(viewSealingKey)
}

export async function getSealingKey(
  ctx: Pick<Context, 'db'>,
  { kid, ...of }: SealingKeyKey,
): Promise<SealingKey> {
  const key = (await listSealingKeys(ctx, of)).find((each) => each.kid === kid)
  if (key === undefined) throw notFound('sealing_key_not_found')
  return key
}

export function viewSealingKey(row: SealingKeyRow): SealingKey {
  const { kid, environment, name, state, jwk, created_at, activated_at, retired_at } = row
  return {
    kid,
    environment,
    ...(name !== null && { name }),
    state,
    jwk,
    created_at,
    ...(activated_at !== null && { activated_at }),
    ...(retired_at !== null && { retired_at }),
  }
}
