import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'

/** The addresses of a name, no response (`silent`), or NXDOMAIN. A function is called for every query. */
type Records = string[] | 'silent' | 'no such name'
export type Zone = Record<string, Records | ((question: { type: 'A' | 'AAAA'; count: number }) => Records)>

const responseCode = { ok: 0, noSuchName: 3 }

/** A name server on loopback with the records of the test. Names are lower case, without a trailing dot. */
export async function startNameServer(zone: Zone) {
  const socket = createSocket('udp4')
  const queries: string[] = []
  socket.on('message', (query, { address, port }) => {
    const { name, type, question } = readQuestion(query)
    const count = queries.filter((earlier) => earlier === `${type} ${name}`).length + 1
    queries.push(`${type} ${name}`)
    const entry = zone[name] ?? 'no such name'
    const records = typeof entry === 'function' ? entry({ type, count }) : entry
    if (records !== 'silent') socket.send(buildResponse(query, question, records, type), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    /** Every query so far, such as `A hook.test`. */
    queries,
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** RFC 1035 §4.1: a header of twelve bytes, then the labels of the name, the type and the class. */
function readQuestion(query: Buffer): { name: string; type: 'A' | 'AAAA'; question: Buffer } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const type = query.readUInt16BE(at + 1) === 28 ? 'AAAA' : 'A'
  return { name: labels.join('.').toLowerCase(), type, question: query.subarray(12, at + 5) }
}

function buildResponse(query: Buffer, question: Buffer, records: Records, type: 'A' | 'AAAA'): Buffer {
  const addresses = Array.isArray(records) ? records.filter((each) => isIPv4(each) === (type === 'A')) : []
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | (Array.isArray(records) ? responseCode.ok : responseCode.noSuchName), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(addresses.length, 6)
  return Buffer.concat([header, question, ...addresses.map(resourceRecord)])
}

function resourceRecord(address: string): Buffer {
  const bytes = isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address)
  const head = Buffer.from('c00c00000001000000000000', 'hex')
  head.writeUInt16BE(bytes.length === 4 ? 1 : 28, 2)
  head.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([head, bytes])
}

function ipv6Bytes(address: string): Buffer {
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const [left = [], right] = canonical
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = right === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0')
  return Buffer.from(
    [...left, ...zeros, ...(right ?? [])].map((group) => group.padStart(4, '0')).join(''),
    'hex',
  )
}
