import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { scopes, webhookEventTypes } from '@vidimus/contract'
import { expect, test } from 'vitest'
import { modules } from './modules.ts'

const documents = globSync('**/*.md', { exclude: ['**/node_modules/**', '**/dist/**'] })
const manifests = globSync([
  'package.json',
  'apps/*/package.json',
  'packages/*/package.json',
  'packages/sdk/test/runtimes/package.json',
  'bench/peers/programs/package.json',
  'examples/package.json',
])

function read(file: string): string {
  return readFileSync(file, 'utf8')
}

test('every relative link in the documents has a target', () => {
  const dead = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(join(dirname(document), target)))
      .map((target) => `${document}: ${target}`),
  )

  expect(documents.length).toBeGreaterThan(10)
  expect(dead).toEqual([])
})

test('every picture is in a document', () => {
  const text = documents.map(read).join()

  expect(globSync('*', { cwd: 'docs/images' }).filter((picture) => !text.includes(`/${picture})`))).toEqual(
    [],
  )
})

test('concepts.md explains every scope', () => {
  const table = [...read('docs/guides/concepts.md').matchAll(/^\| `([a-z_]+:[a-z]+)` \| [a-z]/gm)]

  expect(table.map(([, scope]) => scope)).toEqual([...scopes])
})

test('webhooks.md explains every event', () => {
  const table = [
    ...read('docs/guides/webhooks.md').matchAll(/^\| `((?:verification|erasure)\.[a-z]+)` \| [a-z]/gm),
  ]

  expect(table.map(([, type]) => type)).toEqual(webhookEventTypes)
})

test('every requirement id in a document exists', () => {
  const known = new Set(
    read('docs/internals/requirements.md')
      .match(/^- [A-Z]+-\d+/gm)
      ?.map((line) => line.slice(2)),
  )
  const groups = [...new Set([...known].map((id) => id.replace(/-\d+$/, '')))]
  const named = new RegExp(`\\b(?:${groups.join('|')})-\\d+\\b`, 'g')
  const unknown = documents.flatMap((document) =>
    (read(document).match(named) ?? []).filter((id) => !known.has(id)).map((id) => `${document}: ${id}`),
  )

  expect(unknown).toEqual([])
})

test('ARCHITECTURE.md explains the modules in the order in which they may import each other', () => {
  const table = [...read('ARCHITECTURE.md').matchAll(/^\| `([a-z]+)\/` \|/gm)]

  expect(table.map(([, module]) => module)).toEqual(modules)
})

test('the examples in STYLE.md match the code', () => {
  const examples = [...read('STYLE.md').matchAll(/^```ts\n\/\/ (\S+)\n([^`]*(?:`(?!``)[^`]*)*)```$/gm)]
  const stale = examples
    .filter(([, file = '', code = '']) => !read(file).includes(code))
    .map(([, file]) => file)

  expect(examples).toHaveLength(read('STYLE.md').match(/^```ts$/gm)?.length ?? 0)
  expect(stale).toEqual([])
})

test('docs/internals/dependencies.md names every dependency once, and no others', () => {
  const used = manifests.flatMap((manifest) => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(manifest))
    return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
  })
  // A row of the table, or an item of the list, begins with one or several names.
  const named = [
    ...read('docs/internals/dependencies.md').matchAll(/^(?:\||-) (`[^`]+`(?:, `[^`]+`)*)/gm),
  ].flatMap(([, names = '']) => names.split(', ').map((name) => name.slice(1, -1)))

  expect(named.toSorted()).toEqual(
    [...new Set(used)].filter((name) => !name.startsWith('@vidimus/')).toSorted(),
  )
})

test('the Grafana dashboard, the alert rules and the page about monitoring name only metrics that exist', () => {
  const metricFiles = [
    ...['metrics', 'database-metrics', 'verification-counter'].map(
      (name) => `engine/observability/${name}.ts`,
    ),
    'trust/open.ts',
    'trust/lists/list-metrics.ts',
  ]
  const measured = new Set(
    metricFiles.flatMap((file) =>
      [...read(`apps/service/src/${file}`).matchAll(/\bname: '([a-z_]+)'/g)].map(([, name]) => name),
    ),
  )
  // Those of jobs, which systemd runs.
  for (const [, name] of read('deploy/debian/record-result').matchAll(/^# TYPE (\S+)/gm)) measured.add(name)
  const used = ['deploy/grafana-dashboard.json', 'deploy/alerts.yaml', 'docs/operate/metrics.md'].flatMap(
    (file) => [...read(file).matchAll(/\b(?:http_server|db_client|vidimus)_[a-z_]+/g)].map(([name]) => name),
  )

  expect(used.length).toBeGreaterThan(20)
  // A histogram has three series, and the name of a gauge may end like one of them.
  const series = /_(?:bucket|count|sum)$/
  const isMeasured = (name: string) => measured.has(name) || measured.has(name.replace(series, ''))
  expect([...new Set(used)].filter((name) => !isMeasured(name))).toEqual([])
})

test('every shape in docs/reference/wallets.md is the title of a test', () => {
  const table = read('docs/reference/wallets.md').split(/^## Shapes$/m)[1] ?? ''
  const rows = table.match(/^\|(?!--).+\|$(?!\n\|--)/gm) ?? []
  const shapes = rows.map((row) => [...row.matchAll(/\[([^\]]+)\]\(([^)]+\.ts)\)/g)])
  const absent = shapes
    .flat()
    .filter(([, title = '', file = '']) => !read(join('docs/reference', file)).includes(title))

  expect(rows.length).toBeGreaterThan(4)
  expect(rows.filter((_, index) => shapes[index]?.length === 0)).toEqual([])
  expect(absent.map(([, title]) => title)).toEqual([])
})

test('the list of architecture decisions is complete and in order', () => {
  const files = globSync('[0-9]*.md', { cwd: 'docs/internals/adr' }).toSorted()
  const listed = [...read('docs/internals/adr/README.md').matchAll(/^\| \[(\d+)\]\(([^)]+)\)/gm)]

  expect(listed.map(([, , file]) => file)).toEqual(files)
  for (const [, number = '', file = ''] of listed) {
    expect(file.startsWith(`${number.padStart(4, '0')}-`)).toBe(true)
    expect(read(`docs/internals/adr/${file}`)).toMatch(new RegExp(`^# ${number}\\. .+\n\nStatus: `))
  }
})
