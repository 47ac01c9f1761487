import { Readable } from 'node:stream'

/** A larger response is sent in chunks, so that the server sees how fast the client reads it. */
export const chunk_bytes = 64 * 1024

/** A stream of the chunks of a buffer, without copying. */
export function toChunks(buffer: Buffer): Readable {
  let offset = 0
  return new Readable({
    highWaterMark: chunk_bytes,
    read() {
      this.push(offset < buffer.length ? buffer.subarray(offset, offset + chunk_bytes) : null)
      offset += chunk_bytes
    },
  })
}
