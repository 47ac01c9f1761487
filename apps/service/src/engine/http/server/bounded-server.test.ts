import { once } from 'node:events'
import { IncomingMessage, type RequestListener } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { connectionBounds, openBoundedServer, type ConnectionBounds } from './bounded-server.ts'
import { toChunks } from './send-in-chunks.ts'

const get = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'

async function start(handle: RequestListener, bounds: Partial<ConnectionBounds>, proxy = 'none') {
  const closed: string[] = []
  let parsed = 0
  class CountedMessage extends IncomingMessage {
    constructor(socket: Socket) {
      super(socket)
      parsed += 1
    }
  }
  const server = openBoundedServer({
    handle,
    options: { IncomingMessage: CountedMessage },
    bounds: { ...connectionBounds, ...bounds },
    isExempt: (address) => address === proxy,
    onClosed: (why) => void closed.push(why),
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    closed,
    /** Also those that were not served. */
    countParsed: () => parsed,
    open(): Socket {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      return socket
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function waitUntilClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => void socket.once('close', () => resolve()))
}

test('a connection with too many unanswered requests is closed, and its remaining requests are not served', async () => {
  let served = 0
  await using server = await start(() => void (served += 1), { pipelined: 16 })
  const socket = server.open()
  socket.write(get.repeat(20_000))
  await waitUntilClosed(socket)

  expect([served, server.closed]).toEqual([16, ['pipelined']])
})

test('after that its address cannot connect for a moment', async () => {
  const servedWhen = async (refused_ms: number) => {
    let served = 0
    await using server = await start(() => void (served += 1), { pipelined: 16, block_ms: refused_ms })
    for (let round = 0; round < 3; round += 1) {
      const socket = server.open()
      socket.write(get.repeat(20_000))
      await waitUntilClosed(socket)
      await sleep(20)
    }
    return served
  }
  expect(await servedWhen(60_000)).toBe(16)
  expect(await servedWhen(1)).toBe(3 * 16)
})

test.each([
  { what: 'one of an address closes all of its connections before each is parsed', proxy: 'none', all: true },
  { what: 'one of a proxy closes no other', proxy: '127.0.0.1', all: false },
])('of 40 connections with too many unanswered requests, $what', async ({ proxy, all }) => {
  const perRead = 1500
  const handle: RequestListener = (_request, response) => void response.end('ok')
  await using server = await start(handle, { pipelined: 16 }, proxy)
  const sockets = Array.from({ length: 40 }, () => server.open())
  const served = sockets.map(async (socket) => {
    socket.write(get)
    await once(socket, 'data')
    socket.resume()
  })
  await Promise.all(served)
  const closed = Promise.all(sockets.map(waitUntilClosed))
  for (const socket of sockets) socket.write(get.repeat(perRead))
  await closed

  expect(server.closed).toEqual(sockets.map(() => 'pipelined'))
  expect(server.countParsed() < 4 * perRead).toBe(all)
})

test('any number of sequential requests, or a few pipelined ones, are served', async () => {
  await using server = await start((_request, response) => void response.end('ok'), { pipelined: 4 })
  const socket = server.open()
  let responses = 0
  socket.on('data', (bytes) => void (responses += bytes.toString().split('HTTP/1.1 200').length - 1))
  for (let round = 1; round <= 20; round += 1) {
    socket.write(get.repeat(4))
    await expect.poll(() => responses, { interval: 5 }).toBe(4 * round)
  }
  socket.destroy()
  expect(server.closed).toEqual([])
})

test('a client that reads less than the minimum is disconnected; a slow one gets the whole response', async () => {
  const body = Buffer.alloc(16 * 1024 * 1024, 'x')
  const handle: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-length': body.length })
    pipeline(toChunks(body, 'reader'), response).catch(() => {})
  }
  const reading = { min_bytes: 64 * 1024, window_ms: 2000 }
  await using server = await start(handle, { reading })
  const stalled = server.open()
  stalled.pause()
  stalled.write(get)
  const slow = server.open()
  slow.write(get)
  let read_bytes = 0
  slow.on('data', (bytes) => {
    read_bytes += bytes.length
    slow.pause()
    void sleep(4).then(() => slow.resume())
  })

  await expect.poll(() => server.closed).toEqual(['reading'])
  await expect.poll(() => read_bytes, { timeout: 60_000 }).toBeGreaterThan(body.length)
  expect(server.closed).toEqual(['reading'])
  slow.destroy()
  stalled.destroy()
})

test('connections per address are limited, except for a proxy, and a closed connection frees its slot', async () => {
  const handle: RequestListener = (_request, response) => void response.end('ok')
  const connections = { each: 3, all: 5 }
  const responded = (socket: Socket) => {
    socket.write(get)
    const data = new Promise<true>((resolve) => void socket.once('data', () => resolve(true)))
    return Promise.race([data, waitUntilClosed(socket).then(() => false)])
  }
  const countServed = async (proxy: string) => {
    await using server = await start(handle, { connections }, proxy)
    const sockets = Array.from({ length: 6 }, () => server.open())
    const found = await Promise.all(sockets.map(responded))
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => responded(server.open())).toBe(true)
    return found.filter(Boolean).length
  }
  expect(await countServed('none')).toBe(3)
  expect(await countServed('127.0.0.1')).toBe(5)
})
