import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { digestChart, examples, rulesAndDashboard } from './chart/chart.ts'
import { renderValuesTable } from './chart/values-table.ts'

/**
 * `npm run -s chart` prints a table of the chart's values. `npm run chart -- render` renders the examples with `helm` (version 3.12 or later,
 * which must be installed) into deploy/helm/rendered, which tests check.
 */
if (process.argv.includes('render')) for (const example of examples) render(example)
else process.stdout.write(renderValuesTable())

function render({ name, values }: (typeof examples)[number]): void {
  const args = [
    'template',
    'vidimus',
    'deploy/helm/vidimus',
    '--namespace',
    'vidimus',
    '--kube-version',
    '1.33.0',
  ]
  const text = execFileSync('helm', [...args, '--values', values], { encoding: 'utf8' })
  const version = execFileSync('helm', ['version', '--short'], { encoding: 'utf8' }).trim()
  const head = `# ${values}, rendered by Helm ${version}. \`npm run chart -- render\` writes this file.\n# Chart: ${digestChart(values)}\n`
  writeFileSync(`deploy/helm/rendered/${name}.yaml`, head + rulesAndDashboard.leaveOut(text))
}
