import type { Context } from '../../context.ts'
import { readListSettings } from './read-settings.ts'
import { refreshLists, type RefreshedList } from './refresh.ts'

type RefreshContext = Pick<Context, 'config' | 'db' | 'egress' | 'log'>

/** A round of the worker. */
export async function refreshDueLists(ctx: RefreshContext): Promise<void> {
  await refreshConfigured(ctx, { all: false })
}

/** Refreshes every list, due or not, because an operator wants to see it done. */
export async function refreshAllLists(ctx: RefreshContext): Promise<RefreshedList[]> {
  return refreshConfigured(ctx, { all: true })
}

/**
 * The file is read anew each time, so that a pin can be withdrawn without a restart. Without a file nothing is touched: a
 * process that was started without its settings must not take everybody's anchors away.
 */
async function refreshConfigured(ctx: RefreshContext, which: { all: boolean }): Promise<RefreshedList[]> {
  const file = ctx.config.TRUST_LISTS_FILE
  return file === undefined ? [] : refreshLists(ctx, readListSettings(file), which)
}
