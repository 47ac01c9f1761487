import type { TillSettings } from '@vidimus/contract'
import { getProfile } from '../../accounts/index.ts'
import type { Principal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { readTill } from './store.ts'

/** What a till shows and does between checks. An API key gets what a device without settings would. */
export async function getTillSettings(ctx: Context, by: Principal): Promise<TillSettings> {
  const { tenant_id, environment } = by
  const [{ name, brand, edited_languages_only }, settings] = await Promise.all([
    getProfile(ctx, tenant_id),
    by.kind === 'device' ? readTill(ctx.db, { tenant_id, device_id: by.device_id }) : undefined,
  ])
  const { display_name, colour, logo } = brand
  return {
    merchant: {
      name: display_name ?? name,
      ...(colour !== undefined && { colour }),
      ...(logo !== undefined && { logo }),
    },
    test: environment === 'test',
    keep_awake: settings?.keep_awake ?? false,
    pin: settings?.pin ?? false,
    edited_languages_only,
    ...(typeof settings?.purpose === 'string' && { purpose: settings.purpose }),
  }
}
