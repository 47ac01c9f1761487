import { once } from 'node:events'
import { type ReadStream, createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { type PublicKey, readPublicKey, startCheck } from '@vidimus/evidence'
import { CommandError, command, printMessage, printResult } from '../command.ts'
import { jsonOption } from '../options.ts'
import { startProgress } from '../progress.ts'

export const auditCheckCommand = command({
  positionals: ['FILE'],
  options: {
    'public-key': {
      type: 'string',
      required: true,
      description: 'PEM from `admin audit public-key`, or a file that contains it',
    },
    checkpoint: {
      type: 'string',
      description: 'file with a saved checkpoint, to detect a truncated export',
    },
    json: jsonOption,
  },
  async run({ values, positionals }) {
    const publicKey = await readKeyOption(values['public-key'])
    const saved = values.checkpoint === undefined ? undefined : await readText(values.checkpoint)
    const check = startCheck({ publicKey, saved })
    const progress = startProgress()
    const { bytes, size } = await openFile(positionals[0] ?? '')
    for await (const line of readLines(bytes)) {
      check.line(line)
      progress.update('bytes', bytes.bytesRead, size)
    }
    progress.end()
    const report = await check.end()
    for (const fault of report.faults) printMessage(fault)
    const { entries, valid, removed, signed_at } = report
    printResult(values, report, [
      `${entries} entries, ${valid ? 'valid' : 'NOT VALID'}`,
      ...(report.head === undefined ? [] : [`head ${report.head}`]),
      ...(removed > 0 ? [`${removed} of them without texts, which were erased or have expired`] : []),
      ...(valid && signed_at !== undefined ? [`as signed at ${signed_at}`] : []),
    ])
    return valid ? 0 : 1
  },
})

async function openFile(file: string): Promise<{ bytes: ReadStream; size: number }> {
  const bytes = createReadStream(file === '-' ? '/dev/stdin' : file)
  await once(bytes, 'open').catch((error: unknown) => throwUnreadable(file, error))
  const { size } = await stat(bytes.path).catch((error: unknown) => throwUnreadable(file, error))
  return { bytes, size }
}

export async function readKeyOption(given: string): Promise<PublicKey> {
  const pem = given.startsWith('-----BEGIN') ? given : await readText(given)
  const key = readPublicKey(pem)
  if (key !== undefined) return key
  throw new CommandError(
    '--public-key must be an Ed25519 public key in PEM, as printed by `admin audit public-key`',
  )
}

/** The maximum length of a line. A proof that skips 100,000 entries has 7 MB. */
const maxLine_bytes = 16 * 2 ** 20

/** The lines of a file, without their line feeds. A line that is too long or not UTF-8 is returned as empty. */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield decode(Buffer.concat([rest, chunk.subarray(from, end)]))
      rest = Buffer.alloc(0)
      from = end + 1
    }
    rest = Buffer.concat([rest, chunk.subarray(from)]).subarray(0, maxLine_bytes + 1)
  }
  if (rest.length > 0) yield decode(rest)
}

function decode(bytes: Buffer): string {
  if (bytes.length > maxLine_bytes) return ''
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // Not UTF-8.
    return ''
  }
}

export async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => throwUnreadable(file, error))
}

export function throwUnreadable(file: string, error: unknown): never {
  throw new CommandError(`Can't read ${file}: ${error instanceof Error ? error.message : String(error)}`)
}
