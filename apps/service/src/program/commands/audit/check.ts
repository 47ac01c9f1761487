import { once } from 'node:events'
import { createReadStream, type ReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { readPublicKey, startCheck, type PublicKey } from '@vidimus/evidence'
import { command, CommandError, printResult, printMessage } from '../command.ts'
import { jsonOption } from '../options.ts'
import { startProgress } from './progress.ts'
import { readLines } from './read-lines.ts'
import { readText, throwUnreadable } from './read-text.ts'

export const auditCheckCommand = command({
  positionals: ['FILE'],
  options: {
    'public-key': {
      type: 'string',
      required: true,
      description: 'PEM from `audit public-key`, or a file that contains it',
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

async function readKeyOption(given: string): Promise<PublicKey> {
  const pem = given.startsWith('-----BEGIN') ? given : await readText(given)
  const key = readPublicKey(pem)
  if (key !== undefined) return key
  throw new CommandError(
    '--public-key must be an Ed25519 public key in PEM, as printed by `audit public-key`',
  )
}
