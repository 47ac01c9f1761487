import { Readable } from 'node:stream'

/** A larger answer leaves in pieces, so that the server sees how fast its reader takes it. */
export const piece_bytes = 64 * 1024

/** The pieces of a buffer, none of them copied. */
export function inPieces(buffer: Buffer): Readable {
  let at = 0
  return new Readable({
    highWaterMark: piece_bytes,
    read() {
      this.push(at < buffer.length ? buffer.subarray(at, at + piece_bytes) : null)
      at += piece_bytes
    },
  })
}
