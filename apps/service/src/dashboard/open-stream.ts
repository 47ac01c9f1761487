import { Readable } from 'node:stream'
import type { ChangeEvent, Topic } from '@vidimus/contract'
import { Refusal } from '../platform/refusal.ts'
import { openSlots } from '../platform/slots.ts'
import type { Changes } from './watch-changes.ts'

/** In one process, and of them for one member: a page opens one. */
export const maxStreams = { all: 1000, each: 12 }
const look_ms = 500
/** Every so many looks the session is asked about, and the line kept awake. */
const looksToPulse = 20

export type OpenStream = {
  tenant_id: string
  member_id: string
  /** Whether the session still is one. */
  alive: () => Promise<boolean>
  /** The process was told to stop: it waits for whatever is open. */
  draining: () => boolean
}

/**
 * Makes streams of server-sent events. A page that does not read gets no queue: what happens meanwhile is gathered, and
 * told in one message when it reads again.
 */
export function streamOpener(changes: Changes): (open: OpenStream) => Readable {
  const slots = openSlots(maxStreams)

  return ({ tenant_id, member_id, alive, draining }) => {
    const freeSlot = slots.take(member_id)
    if (typeof freeSlot === 'string')
      throw new Refusal('overloaded', 'Too many pages are open. The list is read again by itself.', 30)

    const gathered = new Set<Topic>()
    let wanted = false
    const flush = () => {
      if (!wanted || gathered.size === 0) return
      const event: ChangeEvent = { topics: [...gathered].toSorted() }
      gathered.clear()
      wanted = stream.push(`event: change\ndata: ${JSON.stringify(event)}\n\n`)
    }
    const watching = changes.watch({
      tenant_id,
      notify(topics) {
        for (const topic of topics) gathered.add(topic)
        flush()
      },
    })
    const beat = async () => {
      // The database is away for a moment: the next pulse asks again.
      const goOn = await alive().catch(() => true)
      if (!goOn) stream.push(null)
      else if (wanted) wanted = stream.push(': still here\n\n')
    }
    let looks = 0
    const pulse = setInterval(() => {
      looks += 1
      if (draining()) stream.push(null)
      else if (looks % looksToPulse === 0) beat().catch((error: Error) => stream.destroy(error))
    }, look_ms)
    pulse.unref()
    const stream = new Readable({
      read() {
        wanted = true
        flush()
      },
      destroy(error, done) {
        clearInterval(pulse)
        watching[Symbol.dispose]()
        freeSlot()
        done(error)
      },
    })
    stream.push('retry: 2000\nevent: ready\ndata: {}\n\n')
    return stream
  }
}
