import { connect, type Socket } from 'node:net'

type RawResponse = {
  status: number
  headers: Record<string, string>
  text: string
  /** The body as JSON; undefined if it is not JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests assert what they expect
  body: any
  /** From opening the connection to the complete response. */
  took_ms: number
}

export type RawConnection = {
  write(bytes: string | Buffer): void
  /** The next response on this connection; undefined if it is closed without one. */
  readResponse(): Promise<RawResponse | undefined>
  /** Resolves when the connection is closed; 'reset' after an error. */
  closed: Promise<'ended' | 'reset'>
  socket: Socket
} & Disposable

/** A connection on which a test writes raw bytes, for requests that no HTTP client would send. */
export function openRawConnection(address: string): RawConnection {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  const started = performance.now()
  let received = Buffer.alloc(0)
  let wake = () => {}
  const closed = new Promise<'ended' | 'reset'>((resolve) => {
    socket.on('error', () => resolve('reset'))
    socket.on('close', () => resolve('ended'))
  })
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    wake()
  })
  void closed.then(() => wake())

  async function readResponse(): Promise<RawResponse | undefined> {
    for (;;) {
      const whole = parseResponse(received)
      if (whole !== undefined) {
        received = received.subarray(whole.length)
        // An interim response: the final one follows.
        if (whole.status === 100) continue
        return { ...whole, took_ms: performance.now() - started }
      }
      if (socket.destroyed) return undefined
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }

  return {
    socket,
    write: (bytes) => void socket.write(bytes),
    readResponse,
    closed,
    [Symbol.dispose]: () => socket.destroy(),
  }
}

/** Sends bytes and returns the response. */
export async function sendRaw(address: string, bytes: string | Buffer): Promise<RawResponse | undefined> {
  using connection = openRawConnection(address)
  connection.write(bytes)
  return await connection.readResponse()
}

function parseResponse(bytes: Buffer): (Omit<RawResponse, 'took_ms'> & { length: number }) | undefined {
  const head = bytes.indexOf('\r\n\r\n')
  if (head < 0) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, head).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const length = head + 4 + Number(headers['content-length'] ?? 0)
  if (bytes.length < length) return undefined
  const text = bytes.toString('utf8', head + 4, length)
  return { status: Number(first.split(' ')[1]), headers, text, body: parseJson(text), length }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
