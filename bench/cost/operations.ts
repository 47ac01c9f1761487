import { authenticatedRead } from '../http.ts'
import type { BarePart } from './bare.ts'
import type { Serve } from './serve.ts'
import type { Work } from './work.ts'

/** How many to run, and how many of them at once. */
export type Size = { count: number; connections: number }

type CommonOperation = {
  name: string
  /** How many a round measures, and how many with one in flight. */
  count: number
  alone: number
  /** What it consists of at least. */
  bare: readonly BarePart[]
}

/** One kind of request or job. What `prepare` does is not measured, what the function that it returns does is. */
export type ServeOperation = CommonOperation & {
  prepare(serve: Serve, size: Size): Promise<() => Promise<void>>
}
export type WorkOperation = CommonOperation & {
  prepare(work: Work, size: Size): Promise<() => Promise<void>>
}
export type Operation = ServeOperation | WorkOperation

const manyTenants = 200
const page = 200
const read = { method: 'GET', expect: 200 } as const
const creation = {
  method: 'POST',
  paths: ['/v1/verifications'],
  body: JSON.stringify({
    template: 'age_over_18',
    metadata: { order: 'A-123456' },
    purpose: 'Age check at the till',
    redirect_url: 'https://merchant.example/return',
  }),
  idempotent: true,
  expect: 201,
} as const

export const serveOperations: readonly ServeOperation[] = [
  {
    name: 'authenticated',
    count: 2000,
    alone: 200,
    bare: ['fastify', 'select', 'redis'],
    async prepare(serve, size) {
      const keys = await serve.keys(1)
      return () => serve.send({ ...authenticatedRead, keys }, size)
    },
  },
  {
    name: 'poll',
    count: 2000,
    alone: 200,
    bare: ['fastify', 'select', 'redis'],
    async prepare(serve, size) {
      const paths = (await serve.openVerifications()).map((id) => `/v1/verifications/${id}/status`)
      return () => serve.send({ ...read, paths, keys: [] }, size)
    },
  },
  {
    name: 'create_one',
    count: 1500,
    alone: 150,
    bare: ['fastify', 'insert', 'redis'],
    async prepare(serve, size) {
      const keys = await serve.keys(1)
      return () => serve.send({ ...creation, keys }, size)
    },
  },
  {
    name: 'create_many',
    count: 1500,
    alone: 200,
    bare: ['fastify', 'insert', 'redis'],
    async prepare(serve, size) {
      const keys = await serve.keys(manyTenants)
      return () => serve.send({ ...creation, keys }, size)
    },
  },
  {
    name: 'request',
    count: 800,
    alone: 100,
    bare: ['fastify', 'select', 'redis', 'sign'],
    async prepare(serve, size) {
      const paths = (await serve.openVerifications()).map((id) => `/wallet/request/${id}`)
      return () => serve.send({ ...read, paths, keys: [] }, size)
    },
  },
  {
    name: 'response',
    count: 200,
    alone: 40,
    bare: ['fastify', 'select', 'insert', 'redis', 'verify'],
    async prepare(serve, size) {
      const responses = await serve.responses(size.count)
      return () => serve.send(responses, size)
    },
  },
  {
    name: 'response_sealed',
    count: 200,
    alone: 40,
    bare: ['fastify', 'select', 'insert', 'redis', 'verify'],
    async prepare(serve, size) {
      const responses = await serve.sealedResponses(size.count)
      return () => serve.send(responses, size)
    },
  },
  {
    name: 'get',
    count: 1500,
    alone: 200,
    bare: ['fastify', 'select', 'redis'],
    async prepare(serve, size) {
      const keys = await serve.keys(1)
      const paths = (await serve.completedVerifications(page)).map((id) => `/v1/verifications/${id}`)
      return () => serve.send({ ...read, paths, keys }, size)
    },
  },
  {
    name: 'list',
    count: 300,
    alone: 60,
    bare: ['fastify', 'select', 'redis'],
    async prepare(serve, size) {
      const keys = await serve.keys(1)
      return () => serve.send({ ...read, paths: ['/v1/verifications'], keys }, size)
    },
  },
  {
    name: 'erase',
    count: 600,
    alone: 100,
    bare: ['fastify', 'insert', 'redis'],
    async prepare(serve, size) {
      const keys = await serve.keys(1)
      const paths = (await serve.completedVerifications(size.count)).map((id) => `/v1/verifications/${id}`)
      return () => serve.send({ method: 'DELETE', paths, keys, expect: 200 }, size)
    },
  },
]

export const workOperations: readonly WorkOperation[] = [
  {
    name: 'delivery',
    count: 1000,
    alone: 60,
    bare: ['post', 'select', 'insert'],
    prepare: (work, { count }) => work.prepareDeliveries(count),
  },
]
