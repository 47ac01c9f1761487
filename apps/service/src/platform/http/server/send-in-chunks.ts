import { Readable } from 'node:stream'

/** A larger answer leaves in pieces, so that the server sees how fast its reader takes it. */
export const chunk_bytes = 64 * 1024

/** The pieces of a buffer, none of them copied. */
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
