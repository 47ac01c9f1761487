import { setTimeout as sleep } from 'node:timers/promises'
import { topics as topicNames, type Topic } from '@vidimus/contract'
import { followAudit } from '../audit/follow.ts'
import type { Context } from '../context.ts'
import { readLatestAttempts } from '../webhooks/log/read-latest-attempts.ts'

const every_ms = 400

type Watcher = { tenant_id: string; notify: (topics: ReadonlySet<Topic>) => void }

export type Changes = {
  /** Tells of changes of a tenant until it is disposed of. */
  watch(watcher: Watcher): Disposable
}

/** What the first word of an action is about. */
const topicOf: Record<string, Topic> = {
  verification: 'verifications',
  webhook: 'deliveries',
  webhook_secret: 'settings',
  device: 'devices',
  key: 'keys',
  template: 'templates',
  member: 'team',
  tenant: 'settings',
}

/** Looks, while anybody watches, for what has changed: two statements for all watchers of this process together. */
export function watchChanges(ctx: Pick<Context, 'db' | 'log'>): Changes {
  const watchers = new Set<Watcher>()
  let looking = false

  async function look(): Promise<void> {
    const follower = followAudit(ctx)
    let attempts = new Map<string, string>()
    let known: ReadonlySet<Watcher> = new Set()
    while (watchers.size > 0) {
      try {
        const present = new Set(watchers)
        const tenants = [...new Set(Array.from(present, ({ tenant_id }) => tenant_id))]
        const told = await follower.next(tenants)
        const newest = await readLatestAttempts(ctx, tenants)
        for (const watcher of present) {
          const { tenant_id } = watcher
          // Whoever has just come read its page before this look: what happened in between, no later look can tell.
          const topics = known.has(watcher) ? topicsOf(told.get(tenant_id)) : new Set(topicNames)
          if (newest.get(tenant_id) !== attempts.get(tenant_id)) topics.add('deliveries')
          if (topics.size > 0) watcher.notify(topics)
        }
        attempts = newest
        known = present
      } catch (error) {
        // The database is away: pages learn of what they missed by the next look that succeeds.
        ctx.log.warn({ err: error }, 'changes were not looked for')
      }
      await sleep(every_ms, undefined, { ref: false })
    }
  }

  return {
    watch(watcher) {
      watchers.add(watcher)
      if (!looking) {
        looking = true
        look()
          .catch((error: unknown) => ctx.log.error({ err: error }, 'changes are not looked for'))
          .finally(() => (looking = false))
      }
      return { [Symbol.dispose]: () => void watchers.delete(watcher) }
    },
  }
}

function topicsOf(actions: ReadonlySet<string> = new Set()): Set<Topic> {
  const topics = Array.from(actions, (action) => topicOf[action.split('.')[0] ?? ''])
  return new Set(topics.filter((topic) => topic !== undefined))
}
