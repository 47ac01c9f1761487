import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'

const folder = 'deploy/helm/vidimus'

/** Values with which the chart is rendered and checked. */
export const examples = [
  { name: 'postgresql', values: `${folder}/values-postgresql.yaml` },
  { name: 'cloudnativepg', values: `${folder}/values-cloudnativepg.yaml` },
  { name: 'everything', values: `${folder}/ci/everything-values.yaml` },
]

/** A hash of all that decides how an example is rendered, except for the version of a release. */
export function digestChart(values: string): string {
  const files = [
    ...['Chart.yaml', 'values.yaml'].map((name) => `${folder}/${name}`),
    ...globSync(`${folder}/templates/*`).toSorted(),
    values,
  ]
  const hash = createHash('sha256')
  for (const file of files)
    hash.update(`${file}\0${readFileSync(file, 'utf8').replaceAll(/^(?:appV|v)ersion: .*$/gm, '')}\0`)
  return `sha256:${hash.digest('hex')}`
}

export type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> }
  // oxlint-disable-next-line typescript/no-explicit-any -- the schemas of Kubernetes check it
  spec?: any
  data?: Record<string, string>
}

/** The objects in a file of several YAML documents. */
export function readManifests(text: string): Manifest[] {
  return parseAllDocuments(text)
    .map((document): Manifest => document.toJS())
    .filter((manifest) => manifest !== null)
}

/** The two files that the chart embeds. The rendered examples leave them out, so that a changed alert needs no rendering. */
export const rulesAndDashboard = {
  leaveOut(rendered: string): string {
    return rendered
      .replace(
        `\n  ${indent(readFileSync('deploy/alerts.yaml', 'utf8'), 2)}`,
        '\n  # deploy/alerts.yaml\n  groups: []',
      )
      .replace(`\n    ${indent(readFileSync('deploy/grafana-dashboard.json', 'utf8'), 4)}`, '\n    {}')
  },
}

function indent(text: string, by: number): string {
  return text.trimEnd().replaceAll('\n', `\n${' '.repeat(by)}`)
}
