import { isYesNo } from '@vidimus/protocol'
import type { Context } from '../engine/context.ts'
import type { ChangeVersion } from '../engine/db/index.ts'
import { readVersion } from './read-version.ts'
import { resolveTemplate } from './resolve.ts'

/** The first of these templates that discloses more than a yes or no now. One that does not exist discloses nothing. */
export async function findDisclosingTemplate(
  ctx: Pick<Context, 'db'>,
  { tenant_id, keys }: { tenant_id: string; keys: readonly string[] },
  version?: ChangeVersion,
): Promise<string | undefined> {
  for (const key of new Set(keys)) {
    const hash = await resolveTemplate(ctx, { tenant_id, key }, version)
    const template = hash === undefined ? undefined : await readVersion(ctx.db, hash)
    if (template !== undefined && !isYesNo(template)) return key
  }
  return undefined
}
