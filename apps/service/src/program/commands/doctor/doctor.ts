import { styleText } from 'node:util'
import { command } from '../command.ts'
import { jsonOption } from '../options.ts'
import { startProgress } from '../progress.ts'
import { runChecks } from './run-checks.ts'
import type { DoctorFinding } from '../../../operations/index.ts'

export const doctorCommand = command({
  options: { json: jsonOption },
  async run({ values }) {
    const progress = startProgress()
    const findings = await runChecks(undefined, (done, of) => progress.update('checks', done, of)).finally(
      progress.end,
    )
    const count = (status: DoctorFinding['status']) =>
      findings.filter((finding) => finding.status === status).length
    if (values.json)
      process.stdout.write(
        `${JSON.stringify({ wrong: count('wrong'), warnings: count('warning'), findings })}\n`,
      )
    else process.stdout.write(report(findings))
    return count('wrong') > 0 ? 1 : 0
  },
})

const marks = { ok: ['ok     ', 'green'], warning: ['warning', 'yellow'], wrong: ['WRONG  ', 'red'] } as const

function report(findings: DoctorFinding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = findings.map(({ check, status, says, cure }) => {
    const [mark, colour] = marks[status]
    const fix = cure === undefined ? '' : `\n${' '.repeat(width + 10)}${cure}`
    return `${styleText(colour, mark, { stream: process.stdout })}  ${check.padEnd(width)} ${says}${fix}\n`
  })
  const wrongCount = findings.filter(({ status }) => status === 'wrong').length
  return `${lines.join('')}\n${wrongCount === 0 ? 'No problems found.' : `${wrongCount} ${wrongCount === 1 ? 'problem' : 'problems'} found.`}\n`
}
