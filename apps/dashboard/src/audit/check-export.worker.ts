import {
  checkReceipt,
  readPublicKey,
  readReceipts,
  startCheck,
  type CheckReport,
  type PublicKey,
} from '@vidimus/evidence'
import { config } from 'zod'

/**
 * What to check, and the first key of the log with the handovers to its later ones, so that a file from before a handover is valid too. The
 * source is the URL of the service's export, or a saved file.
 */
export type CheckRequest = { source: string | Blob; public_key: string; handovers: string[] }
export type CheckMessage =
  | { kind: 'progress'; entries: number }
  | { kind: 'done'; report: CheckReport }
  | { kind: 'receipts'; report: ReceiptsReport }
  | { kind: 'error'; error: CheckError }

/** How many receipts of a file are valid, and the faults of the others. */
export type ReceiptsReport = { valid: number; faults: string[] }

/** Why a check could not finish. The catalogue of texts explains each. */
export type CheckError = {
  code: 'could_not_run' | 'invalid_key' | 'not_downloaded' | 'unreadable'
  status?: number
}

class CheckFailure extends Error {
  readonly error: CheckError

  constructor(error: CheckError) {
    super(error.code)
    this.error = error
  }
}

const progressInterval = 5000
// Zod would otherwise compile functions from strings, which the page's CSP forbids and reports.
config({ jitless: true })

addEventListener('message', ({ data }: MessageEvent<CheckRequest>) => {
  check(data).catch((error: unknown) =>
    postCheckMessage({
      kind: 'error',
      error: error instanceof CheckFailure ? error.error : { code: 'unreadable' },
    }),
  )
})

async function check({ source, public_key, handovers }: CheckRequest): Promise<void> {
  const publicKey = readPublicKey(public_key)
  if (publicKey === undefined) throw new CheckFailure({ code: 'invalid_key' })
  const receipts = await readReceiptFile(source)
  if (receipts !== undefined) {
    const report = await checkReceipts(receipts, { publicKey, handovers })
    postCheckMessage({ kind: 'receipts', report })
    return
  }
  const exportCheck = startCheck({ publicKey, handovers })
  let entries = 0
  await readLines(await openSource(source), (line) => {
    exportCheck.line(line)
    entries += 1
    if (entries % progressInterval === 0) postCheckMessage({ kind: 'progress', entries })
  })
  postCheckMessage({ kind: 'done', report: await exportCheck.end() })
}

/** Larger than any page of receipts; an export may have gigabytes. */
const maxReceipts_bytes = 2 ** 20

/** Undefined if it is an export. */
async function readReceiptFile(source: string | Blob): Promise<unknown[] | undefined> {
  if (typeof source === 'string' || source.size > maxReceipts_bytes) return undefined
  return readReceipts(await source.text())
}

async function checkReceipts(
  receipts: readonly unknown[],
  inputs: { publicKey: PublicKey; handovers: string[] },
): Promise<ReceiptsReport> {
  let valid = 0
  const found: string[] = []
  for (const [index, receipt] of receipts.entries()) {
    const { faults } = await checkReceipt(receipt, inputs)
    if (faults.length === 0) valid += 1
    found.push(...faults.map((fault) => `receipt ${index + 1}: ${fault}`))
  }
  return { valid, faults: found }
}

async function openSource(source: string | Blob): Promise<ReadableStream<Uint8Array>> {
  if (typeof source !== 'string') return source.stream()
  const response = await fetch(source)
  if (!response.ok || response.body === null)
    throw new CheckFailure({ code: 'not_downloaded', status: response.status })
  return response.body
}

/** Streams the lines, so that a chain of any length needs little memory. Awaiting each line would take most of the time. */
async function readLines(bytes: ReadableStream<Uint8Array>, onLine: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  const reader = bytes.getReader()
  let rest = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + decoder.decode(part.value, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  }
  if (rest !== '') onLine(rest)
}

function postCheckMessage(message: CheckMessage): void {
  postMessage(message)
}
