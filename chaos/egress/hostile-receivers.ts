import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { startReceiver, type ReceiverBehaviour } from '../../apps/service/test/network/receiver.ts'

/** A process with several receivers, each misbehaving in one way. Sends their ports to its parent and runs until killed. */
const ok = 'HTTP/1.1 200 OK\r\n'
const gzipBomb = gzipSync(Buffer.alloc(100_000_000))

const behaviours: Record<string, ReceiverBehaviour> = {
  'body without end': (socket) =>
    writeForever(socket, 'x'.repeat(65_536), `${ok}content-length: 10737418240\r\n\r\n`),
  'chunks of one byte without end': (socket) =>
    writeForever(socket, '1\r\nx\r\n'.repeat(10_000), `${ok}transfer-encoding: chunked\r\n\r\n`),
  'chunk extension without end': (socket) =>
    writeForever(socket, 'x'.repeat(65_536), `${ok}transfer-encoding: chunked\r\n\r\n1;`),
  'gzip bomb': (socket) => {
    socket.write(`${ok}content-encoding: gzip\r\ncontent-length: ${gzipBomb.length}\r\n\r\n`)
    socket.write(gzipBomb)
  },
  '100,000 headers': (socket) => void socket.write(`${ok}${'x-header: value\r\n'.repeat(100_000)}\r\n`),
  'headers without end': (socket) => writeForever(socket, 'x'.repeat(65_536), `${ok}x: `),
  'hints without end': (socket) =>
    writeForever(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(1000)),
  'trailers without end': (socket) =>
    writeForever(socket, 'x: y\r\n'.repeat(10_000), `${ok}transfer-encoding: chunked\r\n\r\n0\r\n`),
  'one byte a second': (socket) => {
    socket.write(`${ok}content-length: 1000\r\n\r\n`)
    const timer = setInterval(() => socket.write('x'), 1000)
    socket.once('close', () => clearInterval(timer))
  },
  silence: () => {},
}

const ports: Record<string, number> = {}
for (const [name, behaviour] of Object.entries(behaviours))
  ports[name] = (await startReceiver(behaviour)).port
process.send?.(ports)
process.once('disconnect', () => process.exit())

/** Writes as fast as the peer reads, without end. */
function writeForever(socket: Socket, piece: string, first = ''): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', more)
  socket.write(first)
  more()
}
