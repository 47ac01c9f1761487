import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

/** What waits for a reader that does not read. More is dropped: a log that cannot be written must not stop the service. */
export const maxWaitingCharacters = 8 * 1024 * 1024
/** What may be written while the process ends. */
export const finalWrite_ms = 500

const limits = {
  /** A piece is handed to the system when it has this size, */
  chunk_characters: 16 * 1024,
  /** or after this time, so that a quiet service is not a silent one. */
  delay_ms: 200,
  /** The pause after a piece that could not be written. */
  retry_ms: 500,
}

/** Where the log goes. Neither function ever waits for a reader. */
type Sink = {
  /** Writes as many bytes as can be taken now, and calls back with their number. */
  writeSome: (bytes: Buffer, done: (error: Error | null, written: number) => void) => void
  /** The same at once, while the process ends. */
  writeNow: (bytes: Buffer) => number
}

type Chunk = { bytes: Buffer; lines: number; characters: number }

let dropped = 0
let opened: DestinationStream | undefined

/** Lines of the log that were dropped because standard error did not take them. */
export function droppedLines(): number {
  return dropped
}

/**
 * Standard error, written in large pieces in the background. A disk that is full and a pipe that nobody reads cost log lines,
 * which are counted, and nothing else. What is left goes out when the process ends, as far as it can be written without waiting.
 */
export function standardError(): DestinationStream {
  return (opened ??= openWriter(openSink(2)))
}

function openWriter({ writeSome, writeNow }: Sink): DestinationStream {
  const waiting: Chunk[] = []
  let lines: string[] = []
  let characters = 0
  let waitingCharacters = 0
  let state: 'idle' | 'writing' | 'pausing' = 'idle'

  function flush(): void {
    if (characters > 0) waiting.push({ bytes: Buffer.from(lines.join('')), lines: lines.length, characters })
    lines = []
    characters = 0
    writeNext()
  }

  function writeNext(): void {
    const [chunk] = waiting
    if (state !== 'idle' || chunk === undefined) return
    state = 'writing'
    writeSome(chunk.bytes, (error, written) => {
      state = error === null ? 'idle' : 'pausing'
      if (error === null) advance(chunk, written)
      else {
        if (!isBufferFull(error)) drop(chunk)
        setTimeout(() => {
          state = 'idle'
          writeNext()
        }, limits.retry_ms).unref()
      }
      writeNext()
    })
  }

  function advance(chunk: Chunk, written: number): void {
    chunk.bytes = chunk.bytes.subarray(written)
    if (chunk.bytes.length === 0) remove(chunk)
  }

  function drop(chunk: Chunk): void {
    dropped += chunk.lines
    remove(chunk)
  }

  /** Always the first: one is written at a time. */
  function remove(chunk: Chunk): void {
    waiting.shift()
    waitingCharacters -= chunk.characters
  }

  function flushOnExit(): void {
    // The system finishes what it was given.
    if (state === 'writing') waiting.shift()
    state = 'writing'
    flush()
    const end = performance.now() + finalWrite_ms
    for (let [chunk] = waiting; chunk !== undefined && performance.now() < end; [chunk] = waiting) {
      try {
        advance(chunk, writeNow(chunk.bytes))
      } catch {
        // Full, or gone: nobody will read it.
        return
      }
    }
  }

  setInterval(flush, limits.delay_ms).unref()
  process.on('exit', flushOnExit)
  return {
    write(line) {
      if (waitingCharacters + line.length > maxWaitingCharacters) {
        dropped += 1
        return
      }
      lines.push(line)
      characters += line.length
      waitingCharacters += line.length
      if (characters >= limits.chunk_characters) flush()
    },
  }
}

/** A pipe that is full says so, instead of making a thread wait: a thread that waits also keeps the process from ending. */
function isBufferFull(error: Error): boolean {
  return 'code' in error && error.code === 'EAGAIN'
}

function openSink(descriptor: number): Sink {
  const kind = fstatSync(descriptor)
  if (kind.isFile()) return fileSink(descriptor)
  const nonBlocking = kind.isSocket() ? undefined : reopenNonBlocking(descriptor)
  if (nonBlocking !== undefined) return fileSink(nonBlocking)
  return kind.isSocket() || kind.isFIFO() ? socketSink(descriptor) : fileSink(descriptor)
}

/** Another handle on the same pipe or terminal: that it does not wait is a setting of this process, not of everybody who writes there. */
function reopenNonBlocking(descriptor: number): number | undefined {
  try {
    return openSync(`/dev/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    // The system has no such folder, or the pipe belongs to another user, as in a container.
    return undefined
  }
}

function fileSink(descriptor: number): Sink {
  return {
    writeSome: (bytes, done) => write(descriptor, bytes, done),
    writeNow: (bytes) => writeSync(descriptor, bytes),
  }
}

/** A socket, such as a journal's, cannot be opened again. The event loop waits for it. */
function socketSink(descriptor: number): Sink {
  process.stderr.on('error', () => {
    // The write is told as well.
  })
  return {
    writeSome(bytes, done) {
      process.stderr.write(bytes, (error) => done(error ?? null, bytes.length))
    },
    writeNow: (bytes) => writeSync(descriptor, bytes),
  }
}
