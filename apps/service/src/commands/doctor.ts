import { styleText } from 'node:util'
import { command } from './command.ts'
import { examine } from './doctor/examine.ts'
import type { Finding } from './doctor/finding.ts'

export const doctorCommand = command({
  summary: 'Looks at the installation and says what is wrong and how to mend it. Changes nothing.',
  options: { json: { type: 'boolean', means: 'print one JSON object' } },
  async run({ values }) {
    const findings = await examine()
    const count = (status: Finding['status']) =>
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

function report(findings: Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = findings.map(({ check, status, says, cure }) => {
    const [mark, colour] = marks[status]
    const cured = cure === undefined ? '' : `\n${' '.repeat(width + 10)}${cure}`
    return `${styleText(colour, mark, { stream: process.stdout })}  ${check.padEnd(width)} ${says}${cured}\n`
  })
  const bad = findings.filter(({ status }) => status === 'wrong').length
  return `${lines.join('')}\n${bad === 0 ? 'Nothing is wrong.' : `${bad} ${bad === 1 ? 'thing is' : 'things are'} wrong.`}\n`
}
