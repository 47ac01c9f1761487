import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { digestChart, examples, rulesAndDashboard } from './chart/chart.ts'
import { insertValuesTable } from './chart/values-table.ts'

/**
 * `npm run chart`: writes the table of values in docs/operate/kubernetes.md. `npm run chart -- render` also renders the examples with
 * `helm` (version 3.12 or later, which must be installed) into deploy/helm/rendered, which tests check.
 */
const page = 'docs/operate/kubernetes.md'
writeFileSync(page, insertValuesTable(readFileSync(page, 'utf8')))
if (process.argv.includes('render')) for (const example of examples) render(example)

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
