import { readPublicKey, startCheck, type CheckReport } from '@vidimus/evidence'
import { config } from 'zod'

/** What to check, with what: the service's own export, or a file that somebody kept. */
export type CheckRequest = { source: string | Blob; public_key: string }
export type CheckMessage =
  | { kind: 'progress'; entries: number }
  | { kind: 'done'; report: CheckReport }
  | { kind: 'fault'; message: string }

const progressInterval = 5000
// Otherwise it tries to make functions of text, which the page's policy forbids and reports.
config({ jitless: true })

addEventListener('message', ({ data }: MessageEvent<CheckRequest>) => {
  check(data).catch((error: unknown) =>
    postCheckMessage({
      kind: 'fault',
      message: error instanceof Error ? error.message : 'It cannot be read.',
    }),
  )
})

async function check({ source, public_key }: CheckRequest): Promise<void> {
  const publicKey = readPublicKey(public_key)
  if (publicKey === undefined) throw new Error('The service’s public key cannot be read.')
  const exportCheck = startCheck({ publicKey })
  let entries = 0
  await readLines(await openSource(source), (line) => {
    exportCheck.line(line)
    entries += 1
    if (entries % progressInterval === 0) postCheckMessage({ kind: 'progress', entries })
  })
  postCheckMessage({ kind: 'done', report: await exportCheck.end() })
}

async function openSource(source: string | Blob): Promise<ReadableStream<Uint8Array>> {
  if (typeof source !== 'string') return source.stream()
  const response = await fetch(source)
  if (!response.ok || response.body === null)
    throw new Error(`The export cannot be read: the service answered ${response.status}.`)
  return response.body
}

/** Piece by piece, so that a chain of any length needs little memory; a wait for each line would be most of the time. */
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
