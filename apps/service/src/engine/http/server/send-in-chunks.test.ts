import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { countTurns } from '../../../../test/count-turns.ts'
import { chunk_bytes, toChunks } from './send-in-chunks.ts'

test('each chunk of a large response is sent in a turn of the event loop of its own', async () => {
  for (const bytes of [0, 1, chunk_bytes, 20 * chunk_bytes + 1]) {
    const sent = Buffer.alloc(bytes, 'x')
    const turns = await countTurns(async () => expect(await buffer(toChunks(sent, 'reader'))).toEqual(sent))
    expect(turns).toBeGreaterThan(bytes / chunk_bytes)
  }
})
