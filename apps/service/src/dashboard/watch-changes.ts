import { setTimeout as sleep } from 'node:timers/promises'
import { topics as topicNames, type Topic } from '@vidimus/contract'
import { followAudit } from '../audit/index.ts'
import type { Context } from '../engine/context.ts'
import { readLatestAttempts } from '../deliveries/index.ts'

const pollInterval_ms = 400

type Watcher = { tenant_id: string; notify: (topics: ReadonlySet<Topic>) => void }

export type ChangeFeed = {
  /** Notifies of a tenant's changes until disposed. */
  watch(watcher: Watcher): Disposable
}

/** The topic of an audit action, by the first word of its name. */
const topicByPrefix: Record<string, Topic> = {
  verification: 'verifications',
  webhook: 'deliveries',
  webhook_endpoint: 'deliveries',
  webhook_secret: 'settings',
  device: 'devices',
  key: 'keys',
  openid_client: 'keys',
  template: 'templates',
  registration: 'registrations',
  member: 'team',
  tenant: 'settings',
}

/** Polls for changes while anybody watches, with two statements for all watchers of this process. */
export function watchChanges(ctx: Pick<Context, 'db' | 'log'>): ChangeFeed {
  const watchers = new Set<Watcher>()
  let polling = false

  async function poll(): Promise<void> {
    const follower = followAudit(ctx)
    let attempts = new Map<string, string>()
    let knownWatchers: ReadonlySet<Watcher> = new Set()
    while (watchers.size > 0) {
      try {
        const currentWatchers = new Set(watchers)
        const tenants = [...new Set(Array.from(currentWatchers, ({ tenant_id }) => tenant_id))]
        const actions = await follower.next(tenants)
        const newest = await readLatestAttempts(ctx, tenants)
        for (const watcher of currentWatchers) {
          const { tenant_id } = watcher
          // A new watcher loaded its page before this poll. What changed in between is unknown, so it reloads every topic.
          const topics = knownWatchers.has(watcher) ? toTopics(actions.get(tenant_id)) : new Set(topicNames)
          if (newest.get(tenant_id) !== attempts.get(tenant_id)) topics.add('deliveries')
          if (topics.size > 0) watcher.notify(topics)
        }
        attempts = newest
        knownWatchers = currentWatchers
      } catch (error) {
        // The database is unavailable. The next successful poll reports what was missed.
        ctx.log.warn({ err: error }, 'could not poll for changes')
      }
      await sleep(pollInterval_ms, undefined, { ref: false })
    }
  }

  return {
    watch(watcher) {
      watchers.add(watcher)
      if (!polling) {
        polling = true
        poll()
          .catch((error: unknown) => ctx.log.error({ err: error }, 'polling for changes ended'))
          .finally(() => (polling = false))
      }
      return { [Symbol.dispose]: () => void watchers.delete(watcher) }
    },
  }
}

function toTopics(actions: ReadonlySet<string> = new Set()): Set<Topic> {
  const topics = Array.from(actions, (action) => topicByPrefix[action.split('.')[0] ?? ''])
  return new Set(topics.filter((topic) => topic !== undefined))
}
