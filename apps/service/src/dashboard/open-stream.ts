import { Readable } from 'node:stream'
import type { ChangeEvent, Topic } from '@vidimus/contract'
import { Refusal } from '../engine/basics/index.ts'
import { type ReleaseSlot, openSlots } from '../engine/scheduling/index.ts'
import type { ChangeFeed } from './watch-changes.ts'

/** Open streams per process, per tenant and per member. A page opens one. Half of a process is left to other tenants. */
export const maxStreams = { all: 1000, tenant: 500, each: 12 }
const checkInterval_ms = 500
/** After this many checks, the session is checked too and a keep-alive comment is sent. */
const checksPerHeartbeat = 20

export type OpenStream = {
  tenant_id: string
  member_id: string
  /** Whether the session has not ended. */
  isSessionActive: () => Promise<boolean>
  /** Whether the process is shutting down. It waits for open streams to end. */
  draining: () => boolean
}

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
