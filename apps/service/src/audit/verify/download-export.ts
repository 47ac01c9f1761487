import { Readable } from 'node:stream'
import type { Context } from '../../context.ts'
import { openSlots, type ReleaseSlot, type Slots } from '../../platform/slots.ts'
import { openSpool, type Spool } from '../../platform/open-spool.ts'
import { Refusal } from '../../platform/refusal.ts'
import { exportChain } from './export.ts'

/** Downloads at a time; each keeps a temporary file until its reader has it. */
export const maxDownloads = { each: 1, all: 20 }
/** Of them, those that still read from the database; each keeps a connection. */
export const maxExportsRead = { each: 1, all: 2 }
/** Lines are written together: one by one, each would cost more to write than to make. */
const piece_characters = 65_536

export type DownloadExport = { tenant_id: string; request_id: string }

/**
 * Makes downloads of a tenant's audit chain. The chain is read at one moment in one transaction, at the database's speed, into
 * a temporary file; the reader gets it from there at its own speed. So a slow reader keeps no connection, and an erasure in
 * the meantime cannot take texts out of an export that is sealed for an earlier moment. A reader who leaves ends the reading.
 */
export function openExportDownloader(
  ctx: Pick<Context, 'config' | 'db' | 'keyring' | 'log'>,
): (download: DownloadExport) => Promise<Readable> {
  const downloads = openSlots(maxDownloads)
  const readings = openSlots(maxExportsRead)

  return async ({ tenant_id, request_id }) => {
    const endDownload = takeSlot(downloads, tenant_id)
    const endReading = takeSlot(readings, tenant_id, endDownload)
    const gone = new AbortController()
    const opened = new AsyncDisposableStack()
    opened.defer(endDownload)
    opened.defer(endReading)
    try {
      const spool = opened.use(await openSpool())
      const reading = writeExport(ctx, spool, { tenant_id, signal: gone.signal })
        .catch((error: unknown) => {
          if (!gone.signal.aborted) ctx.log.warn({ err: error, request_id }, 'an audit export failed')
        })
        .finally(endReading)
      opened.defer(() => {
        gone.abort()
        return reading
      })
      const stream = await toStream(spool)
      stream.once('close', () => {
        opened.disposeAsync().catch((error: unknown) => {
          ctx.log.warn({ err: error, request_id }, 'the temporary file of an audit export was not closed')
        })
      })
      return stream
    } catch (error) {
      await opened.disposeAsync()
      throw error
    }
  }
}

async function writeExport(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  spool: Spool,
  { tenant_id, signal }: { tenant_id: string; signal: AbortSignal },
): Promise<void> {
  let piece = ''
  const write = async (line: string) => {
    piece += `${line}\n`
    if (piece.length < piece_characters) return
    signal.throwIfAborted()
    await spool.append(piece)
    piece = ''
  }
  try {
    await exportChain(ctx, { tenant_id, write })
    await spool.append(piece)
    spool.end()
  } catch (error) {
    spool.end(error instanceof Error ? error : new Error(String(error)))
    throw error
  }
}

/** What fails before the first bytes is thrown, and answered as any other failure; later the download breaks off. */
async function toStream(spool: Spool): Promise<Readable> {
  const pieces = spool.read()
  const first = await pieces.next()
  return Readable.from(
    (async function* () {
      if (first.done !== true) yield first.value
      yield* pieces
    })(),
    { objectMode: false, highWaterMark: piece_characters },
  )
}

function takeSlot(slots: Slots, tenant_id: string, orElse?: ReleaseSlot): ReleaseSlot {
  const slot = slots.take(tenant_id)
  if (typeof slot === 'function') return slot
  orElse?.()
  if (slot === 'each')
    throw new Refusal('rate_limit_exceeded', 'An export of the audit log is in progress. Try again later.', 5)
  throw new Refusal('overloaded', 'Too many exports of audit logs are in progress. Try again in a moment.', 5)
}
