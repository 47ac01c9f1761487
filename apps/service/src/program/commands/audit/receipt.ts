import { type ReceiptBody, type ReceiptReport, checkReceipt, readReceipts } from '@vidimus/evidence'
import { CommandError, command, printMessage, printResult } from '../command.ts'
import { jsonOption } from '../options.ts'
import { readKeyOption, readText } from './check.ts'

/** What a valid receipt does and does not prove. Printed with each result, because an inspector may know nothing else. */
const meaning =
  'A valid receipt proves what the service stated at that time. It does not prove that this was true, and not that the verification was kept: it may have been erased since.'

export const receiptCheckCommand = command({
  positionals: ['FILE'],
  options: {
    'public-key': {
      type: 'string',
      required: true,
      description: 'PEM from `admin audit public-key` or the dashboard, or a file that contains it',
    },
    checkpoint: { type: 'string', description: 'file with a saved checkpoint, which the log must continue' },
    json: jsonOption,
  },
  async run({ values, positionals }) {
    const publicKey = await readKeyOption(values['public-key'])
    const saved = values.checkpoint === undefined ? undefined : await readText(values.checkpoint)
    const file = positionals[0] ?? ''
    const receipts = readReceipts(await readText(file))
    if (receipts === undefined) throw new CommandError(`${file} has no receipt.`)
    const reports: ReceiptReport[] = []
    for (const receipt of receipts) reports.push(await checkReceipt(receipt, { publicKey, saved }))
    const lines = reports.map((report, index) => describe(report, index + 1))
    const valid = reports.length > 0 && reports.every((report) => report.valid)
    for (const [index, { faults }] of reports.entries())
      for (const fault of faults) printMessage(`receipt ${index + 1}: ${fault}`)
    const count = reports.filter((report) => report.valid).length
    printResult(values, { valid, reports }, [
      ...lines,
      `${count} of ${reports.length} receipts are valid`,
      ...(count > 0 ? [meaning] : []),
    ])
    return valid ? 0 : 1
  },
})

function describe({ body, signed_at }: ReceiptReport, number: number): string {
  return body === undefined
    ? `${number}: NOT VALID`
    : `${number}: ${describeBody(body)}, signed at ${signed_at}`
}

function describeBody({ id, status, error_code, template, query_hash, responded_at }: ReceiptBody): string {
  const asked =
    template === undefined
      ? `query ${query_hash?.slice(0, 16)}…`
      : `template ${template.key}, version ${template.version.slice(0, 16)}…`
  return `${id} ${status}${error_code === undefined ? '' : ` (${error_code})`} at ${responded_at}, ${asked}`
}
