import type { FastifyReply } from 'fastify'
import { z } from 'zod'

export type Serializer = ReturnType<FastifyReply['compileSerializationSchema']>

const serializers = new WeakMap<z.ZodType, Serializer>()

/**
 * Serializes by a schema of the contract: properties outside it are dropped; a missing required property is an internal error
 * (GEN-3). It is compiled for the first response and kept, because compiling those of all routes took two thirds of the start.
 */
export function findSerializer(reply: FastifyReply, body: z.ZodType): Serializer {
  const known = serializers.get(body)
  if (known !== undefined) return known
  const compiled = reply.compileSerializationSchema(z.toJSONSchema(body, { target: 'draft-7', io: 'output' }))
  serializers.set(body, compiled)
  return compiled
}
