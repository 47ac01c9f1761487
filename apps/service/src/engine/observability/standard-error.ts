import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

/** Buffered while standard error does not accept writes. Further lines are dropped: a log that cannot be written must not stop the service. */
export const maxWaitingCharacters = 8 * 1024 * 1024
/** How long the process may keep writing while it exits. */
export const finalWrite_ms = 500

const limits = {
  /** A chunk is written when it reaches this size, */
  chunk_characters: 16 * 1024,
  /** or after this time, so that a quiet service still logs promptly. */
  delay_ms: 200,
  /** The pause after a failed write. */
  retry_ms: 500,
}

/** Where the log goes. Neither function waits for a reader. */
type Sink = {
  /** Writes as many bytes as are accepted now, and calls back with their number. */
  writeSome: (bytes: Buffer, done: (error: Error | null, written: number) => void) => void
  /** The same, synchronously, while the process exits. */
  writeNow: (bytes: Buffer) => number
}

type Chunk = { bytes: Buffer; lines: number; characters: number }

let dropped = 0
let opened: DestinationStream | undefined

/** Log lines dropped because standard error did not accept them. */
export function droppedLines(): number {
  return dropped
}

/**
 * Standard error, written in large chunks in the background. A full disk or an unread pipe costs log lines, which are counted,
 * and nothing else. The rest is written when the process exits, as far as that is possible without blocking.
 */
export function standardError(): DestinationStream {
  return (opened ??= openWriter(openSink(2)))
}

function openWriter({ writeSome, writeNow }: Sink): DestinationStream {
  const waiting: Chunk[] = []
  let lines: string[] = []
  let characters = 0
  let waitingCharacters = 0
  let flushTimer: NodeJS.Timeout | undefined
  let state: 'idle' | 'writing' | 'pausing' = 'idle'

  function flush(): void {
    clearTimeout(flushTimer)
    flushTimer = undefined
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

  /** Always the first, because one chunk is written at a time. */
  function remove(chunk: Chunk): void {
    waiting.shift()
    waitingCharacters -= chunk.characters
  }

  function flushOnExit(): void {
    // The operating system finishes the write in progress.
    if (state === 'writing') waiting.shift()
    state = 'writing'
    flush()
    const end = performance.now() + finalWrite_ms
    for (let [chunk] = waiting; chunk !== undefined && performance.now() < end; [chunk] = waiting) {
      try {
        advance(chunk, writeNow(chunk.bytes))
      } catch {
        // Full or closed: nothing will read it.
        return
      }
    }
  }

  process.on('exit', flushOnExit)
  return {
    write(line) {
      if (waitingCharacters + line.length > maxWaitingCharacters) {
        dropped += 1
        return
      }
      if (characters > 0 && characters + line.length > limits.chunk_characters) flush()
      flushTimer ??= setTimeout(flush, limits.delay_ms).unref()
      lines.push(line)
      characters += line.length
      waitingCharacters += line.length
      if (characters >= limits.chunk_characters) flush()
    },
  }
}

/** A full non-blocking pipe returns EAGAIN. A blocked thread would also keep the process from exiting. */
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

/** Opens the same pipe or terminal again, so that O_NONBLOCK applies to this process only and not to everyone who shares the descriptor. */
function reopenNonBlocking(descriptor: number): number | undefined {
  try {
    return openSync(`/dev/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    // The system has no /dev/fd, or the pipe belongs to another user, as in a container.
    return undefined
  }
}

function fileSink(descriptor: number): Sink {
  return {
    writeSome: (bytes, done) => write(descriptor, bytes, done),
    writeNow: (bytes) => writeSync(descriptor, bytes),
  }
}

/** A socket, such as the journal's, cannot be opened again. Node writes to it asynchronously. */
function socketSink(descriptor: number): Sink {
  process.stderr.on('error', () => {
    // The callback of the write gets the same error.
  })
  return {
    writeSome(bytes, done) {
      process.stderr.write(bytes, (error) => done(error ?? null, bytes.length))
    },
    writeNow: (bytes) => writeSync(descriptor, bytes),
  }
}
