import { spawn } from 'node:child_process'
import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { openRedis, waitForRedis } from '../../apps/service/src/engine/redis/open.ts'
import { encodings } from '../credentials/find-secrets.ts'

/** Counts a text in what is too large for memory: as it is, as hexadecimal and as base64 inside a longer value. */
export type CanarySearch = ReturnType<typeof searchFor>

export function searchFor(canary: string) {
  const needles = Object.values(encodings)
    .flatMap((encode) => encode(Buffer.from(canary)))
    .filter((text, index, all) => all.indexOf(text) === index)
    .map((text) => Buffer.from(text))
  const overlap_bytes = Math.max(...needles.map(({ length }) => length)) - 1

  const inBytes = (bytes: Buffer): number =>
    needles.reduce((sum, needle) => sum + countOccurrences(bytes, needle), 0)

  const inStream = async (stream: Readable): Promise<number> => {
    let [found, rest] = [0, Buffer.alloc(0)]
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const bytes = Buffer.concat([rest, chunk])
      // What lies in the overlap as a whole was counted with the chunk before.
      found += inBytes(bytes) - inBytes(rest)
      rest = bytes.subarray(Math.max(0, bytes.length - overlap_bytes))
    }
    return found
  }

  return {
    inBytes,
    inFile: (file: string) => inStream(createReadStream(file, { highWaterMark: 2 ** 22 })),
    /** All files below a folder, except those that `skip` names. */
    async inFolder(folder: string, skip: (path: string) => boolean = () => false): Promise<number> {
      let found = 0
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name)
        if (entry.isFile() && !skip(path)) found += await inStream(createReadStream(path))
      }
      return found
    },
    /** What a program prints. Throws if it fails. */
    async inOutput(program: string, args: readonly string[]): Promise<number> {
      const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
      const found = await inStream(child.stdout)
      await finished(child.stdout)
      if ((await ended) !== 0) throw new Error(`${program} failed`)
      return found
    },
    async inRedis(url: string): Promise<{ found: number; keys: number }> {
      const redis = openRedis(url)
      await waitForRedis(redis)
      const keys = await redis.keys('*')
      let found = 0
      for (const key of keys)
        found += inBytes(Buffer.from(key)) + inBytes((await redis.dumpBuffer(key)) ?? Buffer.alloc(0))
      redis.disconnect()
      return { found, keys: keys.length }
    },
  }
}

function countOccurrences(bytes: Buffer, needle: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + 1)) count += 1
  return count
}
