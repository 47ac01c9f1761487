import { Readable } from 'node:stream'
import { openFairQueue } from '../../scheduling/fair-queue.ts'

/** A larger response is sent in chunks, so that the server sees how fast the client reads it. */
export const chunk_bytes = 64 * 1024

const waiting = openFairQueue<() => void>()
let isScheduled = false

/** A stream of the chunks of a buffer, without copying. An owner sends one chunk in each turn of the event loop. */
export function toChunks(buffer: Buffer, owner: string): Readable {
  let offset = 0
  const stream = new Readable({
    highWaterMark: chunk_bytes,
    read() {
      waiting.push(owner, () => {
        if (stream.destroyed) return
        stream.push(offset < buffer.length ? buffer.subarray(offset, offset + chunk_bytes) : null)
        offset += chunk_bytes
      })
      sendSoon()
    },
  })
  return stream
}

function sendSoon(): void {
  if (isScheduled) return
  isScheduled = true
  setImmediate(sendChunks)
}

function sendChunks(): void {
  isScheduled = false
  const served = new Set<string>()
  const isNext = (owner: string) => !served.has(owner) && served.add(owner).size > 0
  for (let send = waiting.shift(isNext); send !== undefined; send = waiting.shift(isNext)) send()
  if (waiting.size() > 0) sendSoon()
}
