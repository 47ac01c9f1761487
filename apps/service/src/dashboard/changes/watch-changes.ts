import { setTimeout as sleep } from 'node:timers/promises'
import { Readable } from 'node:stream'
import { type ChangeEvent, type Topic, topics as topicNames } from '@vidimus/contract'
import { followAudit } from '../../audit/index.ts'
import { readLatestAttempts } from '../../deliveries/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { type ReleaseSlot, openSlots } from '../../engine/scheduling/index.ts'

const pollInterval_ms = 400

type Watcher = { tenant_id: string; notify: (topics: ReadonlySet<Topic>) => void }

type ChangeFeed = {
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
  link: 'links',
  template: 'templates',
  registration: 'registrations',
  member: 'team',
  sealing_key: 'settings',
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

type OpenStream = {
  tenant_id: string
  member_id: string
  /** Whether the session has not ended. */
  isSessionActive: () => Promise<boolean>
  /** Whether the process is shutting down. It waits for open streams to end. */
  draining: () => boolean
}

/** Open streams per process, per tenant and per member. A page opens one. Half of a process is left to other tenants. */
export const maxStreams = { all: 1000, tenant: 500, each: 12 }
const checkInterval_ms = 500
/** After this many checks, the session is checked too and a keep-alive comment is sent. */
const checksPerHeartbeat = 20

/**
 * Creates streams of server-sent events. A page that does not read gets no queue: changes are collected meanwhile and sent
 * in one event when it reads again.
 */
export function streamOpener(changes: ChangeFeed): (open: OpenStream) => Readable {
  const { all, tenant, each } = maxStreams
  const ofTenants = openSlots({ each: tenant, all })
  const ofMembers = openSlots({ each, all })

  return ({ tenant_id, member_id, isSessionActive, draining }) => {
    const taken = [ofTenants.take(tenant_id), ofMembers.take(member_id)]
    const releases = taken.filter((slot): slot is ReleaseSlot => typeof slot !== 'string')
    const releaseSlots = () => releases.forEach((release) => release())
    if (releases.length < taken.length) {
      releaseSlots()
      throw new Refusal('overloaded', 'Too many dashboard pages are open. Close some of them.', 30)
    }

    const pendingTopics = new Set<Topic>()
    let isReaderWaiting = false
    const flush = () => {
      if (!isReaderWaiting || pendingTopics.size === 0) return
      const event: ChangeEvent = { topics: [...pendingTopics].toSorted() }
      pendingTopics.clear()
      isReaderWaiting = stream.push(`event: change\ndata: ${JSON.stringify(event)}\n\n`)
    }
    const subscription = changes.watch({
      tenant_id,
      notify(topics) {
        for (const topic of topics) pendingTopics.add(topic)
        flush()
      },
    })
    const sendHeartbeat = async () => {
      // If the database is unavailable, the next heartbeat checks again.
      const stillActive = await isSessionActive().catch(() => true)
      if (!stillActive) stream.push(null)
      else if (isReaderWaiting) isReaderWaiting = stream.push(': still here\n\n')
    }
    let checks = 0
    const timer = setInterval(() => {
      checks += 1
      if (draining()) stream.push(null)
      else if (checks % checksPerHeartbeat === 0)
        sendHeartbeat().catch((error: Error) => stream.destroy(error))
    }, checkInterval_ms)
    timer.unref()
    const stream = new Readable({
      read() {
        isReaderWaiting = true
        flush()
      },
      destroy(error, done) {
        clearInterval(timer)
        subscription[Symbol.dispose]()
        releaseSlots()
        done(error)
      },
    })
    stream.push('retry: 2000\nevent: ready\ndata: {}\n\n')
    return stream
  }
}
