import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { findSerializer } from './find-serializer.ts'

/** Writes a body as JSON, a long list in several turns of the event loop. */
export type BodyWriter = (body: Body) => string | Promise<string>

type Body = Record<string, unknown>

/** How much of a list one turn writes. The text of a hundred verifications takes milliseconds, for which everyone else would have to wait. */
const slice_characters = 64 * 1024

/** Writes bodies by a schema of the contract. A list is an object whose `data` is an array. */
export function findWriter(reply: FastifyReply, body: z.ZodType): BodyWriter {
  const serialize = findSerializer(reply, body)
  const items: unknown = body instanceof z.ZodObject ? body.shape['data'] : undefined
  if (!(items instanceof z.ZodArray)) return serialize
  const serializeItem = findSerializer(reply, items.element as z.ZodType) // an array of the contract
  return async (value) => {
    const list = value as { data: Body[] } // by its type in the contract
    const texts: string[] = []
    let written = 0
    for (const item of list.data) {
      const text = serializeItem(item)
      texts.push(text)
      written += text.length
      if (written < slice_characters) continue
      written = 0
      await nextTurn()
    }
    // Within a value its quotes would be escaped.
    return serialize({ ...list, data: [] }).replace('"data":[]', () => `"data":[${texts.join(',')}]`)
  }
}
