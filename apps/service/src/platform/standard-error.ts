import { destination, type DestinationStream } from 'pino'

const bounds = {
  /** Handed on in pieces of this size: the writer looks at all it holds for every piece it is given. */
  piece_characters: 16 * 1024,
  /** Or after this time, so that a quiet service is not a silent one. */
  delay_ms: 200,
  /** What waits for a reader that does not read. More is dropped: a stalled log must not take the service with it. */
  waiting_bytes: 8 * 1024 * 1024,
}

/** Standard error, written behind the requests' backs in large pieces. What is left goes out when the process ends. */
export function standardError(): DestinationStream {
  return (opened ??= open())
}

let opened: DestinationStream | undefined

function open(): DestinationStream {
  const writer = destination({ fd: 2, sync: false, maxLength: bounds.waiting_bytes })
  let lines: string[] = []
  let characters = 0

  function handOn(): void {
    if (characters === 0) return
    writer.write(lines.join(''))
    lines = []
    characters = 0
  }

  setInterval(handOn, bounds.delay_ms).unref()
  process.on('exit', () => {
    handOn()
    writer.flushSync()
  })
  return {
    write(line) {
      lines.push(line)
      characters += line.length
      if (characters >= bounds.piece_characters) handOn()
    },
  }
}
