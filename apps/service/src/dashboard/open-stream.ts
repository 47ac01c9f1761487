import { Readable } from 'node:stream'
import type { ChangeEvent, Topic } from '@vidimus/contract'
import { Refusal } from '../platform/refusal.ts'
import { openSlots } from '../platform/slots.ts'
import type { ChangeFeed } from './watch-changes.ts'

/** In one process, and of them for one member: a page opens one. */
export const maxStreams = { all: 1000, each: 12 }
const checkInterval_ms = 500
/** Every so many looks the session is asked about, and the line kept awake. */
const checksPerHeartbeat = 20

export type OpenStream = {
  tenant_id: string
  member_id: string
  /** Whether the session still is one. */
  isSessionActive: () => Promise<boolean>
  /** The process was told to stop: it waits for whatever is open. */
  draining: () => boolean
}

/**
 * Makes streams of server-sent events. A page that does not read gets no queue: what happens meanwhile is gathered, and
 * told in one message when it reads again.
 */
export function streamOpener(changes: ChangeFeed): (open: OpenStream) => Readable {
  const slots = openSlots(maxStreams)

  return ({ tenant_id, member_id, isSessionActive, draining }) => {
    const releaseSlot = slots.take(member_id)
    if (typeof releaseSlot === 'string')
      throw new Refusal('overloaded', 'Too many pages are open. The list is read again by itself.', 30)

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
      // The database is away for a moment: the next pulse asks again.
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
        releaseSlot()
        done(error)
      },
    })
    stream.push('retry: 2000\nevent: ready\ndata: {}\n\n')
    return stream
  }
}
