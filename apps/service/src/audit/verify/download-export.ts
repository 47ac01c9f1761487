import { Readable } from 'node:stream'
import type { Context } from '../../engine/context.ts'
import { type ReleaseSlot, type Slots, openSlots } from '../../engine/scheduling/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { exportChain } from './export.ts'
import { type TemporaryFile, openTemporaryFile } from './temporary-file.ts'

/** Concurrent downloads; each keeps a temporary file until it is read. */
export const maxDownloads = { each: 1, all: 20 }
/** Those of them that still read from the database; each uses a connection. */
export const maxExportsRead = { each: 1, all: 2 }
/** Lines are buffered, because writing each one separately would cost more than producing it. */
const chunk_characters = 65_536

export type DownloadExport = { tenant_id: string; request_id: string }

/**
 * Downloads a tenant's audit chain. The chain is read in one transaction, at the database's speed, into a temporary file, and
 * sent from there at the client's speed. So a slow client uses no connection, and a concurrent erasure cannot remove texts from
 * an export that is sealed for an earlier time. If the client disconnects, reading stops.
 */
export function openExportDownloader(
  ctx: Pick<Context, 'config' | 'db' | 'keyring' | 'log'>,
): (download: DownloadExport) => Promise<Readable> {
  const downloads = openSlots(maxDownloads)
  const readings = openSlots(maxExportsRead)

  return async ({ tenant_id, request_id }) => {
    const releaseDownload = takeSlot(downloads, tenant_id)
    const releaseReading = takeSlot(readings, tenant_id, releaseDownload)
    const disconnected = new AbortController()
    const resources = new AsyncDisposableStack()
    resources.defer(releaseDownload)
    resources.defer(releaseReading)
    try {
      const file = resources.use(await openTemporaryFile())
      const reading = writeExport(ctx, file, { tenant_id, signal: disconnected.signal })
        .catch((error: unknown) => {
          if (!disconnected.signal.aborted) ctx.log.warn({ err: error, request_id }, 'audit export failed')
        })
        .finally(releaseReading)
      resources.defer(() => {
        disconnected.abort()
        return reading
      })
      const stream = await toStream(file)
      stream.once('close', () => {
        resources.disposeAsync().catch((error: unknown) => {
          ctx.log.warn({ err: error, request_id }, 'cannot close the temporary file of an audit export')
        })
      })
      return stream
    } catch (error) {
      await resources.disposeAsync()
      throw error
    }
  }
}

async function writeExport(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  file: TemporaryFile,
  { tenant_id, signal }: { tenant_id: string; signal: AbortSignal },
): Promise<void> {
  let chunk = ''
  const write = async (line: string) => {
    chunk += `${line}\n`
    if (chunk.length < chunk_characters) return
    signal.throwIfAborted()
    await file.append(chunk)
    chunk = ''
  }
  try {
    await exportChain(ctx, { tenant_id, write })
    await file.append(chunk)
    file.end()
  } catch (error) {
    file.end(error instanceof Error ? error : new Error(String(error)))
    throw error
  }
}

/** An error before the first bytes is thrown and becomes an error response; after that the download is aborted. */
async function toStream(file: TemporaryFile): Promise<Readable> {
  const chunks = file.read()
  const first = await chunks.next()
  return Readable.from(
    (async function* () {
      if (first.done !== true) yield first.value
      yield* chunks
    })(),
    { objectMode: false, highWaterMark: chunk_characters },
  )
}

function takeSlot(slots: Slots, tenant_id: string, onFailure?: ReleaseSlot): ReleaseSlot {
  const slot = slots.take(tenant_id)
  if (typeof slot === 'function') return slot
  onFailure?.()
  if (slot === 'each')
    throw new Refusal(
      'rate_limit_exceeded',
      'An export of this audit log is already in progress. Try again later.',
      5,
    )
  throw new Refusal('overloaded', 'Too many audit exports are in progress. Try again in a moment.', 5)
}
