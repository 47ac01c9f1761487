import { readPublicKey, startCheck, type CheckReport } from '@vidimus/evidence'
import { config } from 'zod'

/** What to check, with what: the service's own export, or a file that somebody kept. */
export type Order = { source: string | Blob; public_key: string }
export type News =
  | { kind: 'progress'; entries: number }
  | { kind: 'done'; report: CheckReport }
  | { kind: 'fault'; message: string }

const tellEvery = 5000
// Otherwise it tries to make functions of text, which the page's policy forbids and reports.
config({ jitless: true })

addEventListener('message', ({ data }: MessageEvent<Order>) => {
  check(data).catch((error: unknown) =>
    tell({ kind: 'fault', message: error instanceof Error ? error.message : 'It cannot be read.' }),
  )
})

async function check({ source, public_key }: Order): Promise<void> {
  const publicKey = readPublicKey(public_key)
  if (publicKey === undefined) throw new Error('The service’s public key cannot be read.')
  const checking = startCheck({ publicKey })
  let entries = 0
  await readLines(await bytesOf(source), (line) => {
    checking.line(line)
    entries += 1
    if (entries % tellEvery === 0) tell({ kind: 'progress', entries })
  })
  tell({ kind: 'done', report: await checking.end() })
}

async function bytesOf(source: string | Blob): Promise<ReadableStream<Uint8Array>> {
  if (typeof source !== 'string') return source.stream()
  const response = await fetch(source)
  if (!response.ok || response.body === null)
    throw new Error(`The export cannot be read: the service answered ${response.status}.`)
  return response.body
}

/** Piece by piece, so that a chain of any length needs little memory; a wait for each line would be most of the time. */
async function readLines(bytes: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  const reader = bytes.getReader()
  let rest = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + decoder.decode(part.value, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  }
  if (rest !== '') take(rest)
}

function tell(news: News): void {
  postMessage(news)
}
