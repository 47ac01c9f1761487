import type { Context } from '../../engine/context.ts'
import { readListSettings } from './read-settings.ts'
import { refreshLists, type RefreshedList } from './refresh.ts'

type ConfiguredContext = Pick<Context, 'config' | 'db' | 'egress' | 'log'>

/** Refreshes the lists that are due. The worker calls it regularly. */
export async function refreshDueLists(ctx: ConfiguredContext): Promise<void> {
  await refreshConfigured(ctx, { all: false })
}

/** Refreshes every list, due or not, on an operator's request. */
export async function refreshAllLists(ctx: ConfiguredContext): Promise<RefreshedList[]> {
  return refreshConfigured(ctx, { all: true })
}

/**
 * The file is read each time, so that a pin can be withdrawn without a restart. Without a file nothing changes: a process
 * that was started without the setting must not delete everybody's anchors.
 */
async function refreshConfigured(ctx: ConfiguredContext, which: { all: boolean }): Promise<RefreshedList[]> {
  const file = ctx.config.TRUST_LISTS_FILE
  return file === undefined ? [] : refreshLists(ctx, readListSettings(file), which)
}
