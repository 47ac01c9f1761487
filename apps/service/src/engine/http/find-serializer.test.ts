import { dashboardRoutes, routes } from '@vidimus/contract'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { findSerializer } from './mount.ts'

const bodies = [...Object.values(routes), ...Object.values(dashboardRoutes)].flatMap(({ success }) =>
  'media' in success && success.media !== undefined ? [] : [success.body],
)

test('[GEN-3] the response of every route can be serialized, and each schema is compiled once', async () => {
  await using app = fastify()
  app.get('/', (_request, reply) => {
    const compiled = bodies.map((body) => findSerializer(reply, body))
    return reply.send({
      same: compiled.every((each, index) => each === findSerializer(reply, bodies[index] ?? z.never())),
    })
  })
  expect(bodies.length).toBeGreaterThan(100)
  expect((await app.inject('/')).json()).toEqual({ same: true })
})

test('[GEN-3] a serializer drops what the schema does not name, and refuses what lacks a required property', async () => {
  await using app = fastify()
  const body = z.object({ id: z.string(), name: z.string().optional() })
  app.get('/', (_request, reply) => {
    const serialize = findSerializer(reply, body)
    expect(serialize({ id: 'a', secret: 'b' })).toBe('{"id":"a"}')
    expect(() => serialize({ name: 'a' })).toThrow('"id" is required')
    return reply.send({ checked: true })
  })
  expect((await app.inject('/')).json()).toEqual({ checked: true })
})
