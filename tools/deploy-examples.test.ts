import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkConnections } from '../apps/service/src/engine/config/check-production.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const compose = read('compose.yaml')
const units = globSync('deploy/systemd/**/*.{service,conf}')

function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => found)
}

/** Settings as `.env.example` lists them; each can also be given as NAME_FILE. */
const settings = new Set(
  all(read('.env.example'), /^#? ?([A-Z][A-Z_]+)=/gm).flatMap((name) => [name, `${name}_FILE`]),
)

test('the compose file names settings, files and secrets that exist', () => {
  const [, service = ''] = /^x-vidimus:([^]*?)^services:/m.exec(compose) ?? []
  const named = all(service, /^ {4}([A-Z_]+):/gm)
  expect(named.length).toBeGreaterThan(9)
  expect(named.filter((name) => !settings.has(name))).toEqual([])

  const mounted = all(compose, /\.\/(deploy\/[^:]+):/g)
  expect(mounted.length).toBeGreaterThan(5)
  expect(mounted.filter((file) => !existsSync(file))).toEqual([])

  const defined = all(compose, /\{ file: secrets\/([a-z.-]+) \}/g).toSorted()
  const used = [...new Set(all(compose, /\/run\/secrets\/([a-z.-]+)/g))].toSorted()
  expect(used).toEqual(defined)
})

test('PostgreSQL has as many locks as install.md asks for, wherever an example starts it', () => {
  const locks = all(read('docs/operate/install.md'), /max_locks_per_transaction = (\d+)/g)
  expect(locks).toHaveLength(1)
  for (const file of [
    'compose.yaml',
    'deploy/debian/vidimus-backup',
    'deploy/helm/cloudnativepg-cluster.yaml',
  ])
    expect([file, all(read(file), /max_locks_per_transaction\W+(\d+)/g)]).toEqual([file, locks])
})

test('[GEN-13] the examples connect with TLS, on one machine, or say that there is none', () => {
  const [redis_of_compose = ''] = all(compose, /REDIS_URL: (\S+)/g)
  const [database_of_compose = ''] = all(
    read('docs/operate/containers.md'),
    /^echo "(postgres:.+)" > secrets\/database-url$/gm,
  )
  const [redis_of_kubernetes = ''] = all(read('docs/operate/kubernetes.md'), /redis-url=(\S+)$/gm)
  const [database_of_kubernetes = ''] = all(
    read('deploy/helm/vidimus/values-postgresql.yaml'),
    /^# +(postgres:\S+)$/gm,
  )
  const [socket_of_systemd = ''] = all(read('docs/operate/install.md'), /'(postgres:[^']+)'/g)
  const [database_of_systemd = ''] = all(read('docs/operate/install.md'), /`(postgres:[^`]+)`/g)
  const [redis_of_systemd = ''] = all(read('docs/operate/install.md'), /REDIS_URL=([^']+)'/g)
  for (const [database, redis] of [
    [database_of_compose.replace(/\$\(.*?\)/, 'secret'), redis_of_compose],
    [database_of_kubernetes, redis_of_kubernetes],
    [socket_of_systemd, redis_of_systemd],
    [database_of_systemd, redis_of_systemd],
  ] as const) {
    const secrets = { DATABASE_URL: database, REDIS_URL: redis }
    expect([
      secrets,
      checkConnections({ config: { OTEL_EXPORTER_OTLP_INSECURE: 'false' }, secrets }, {}),
    ]).toEqual([secrets, []])
  }
})

test('the systemd units and the settings of the package name settings that exist', () => {
  const text = units.map(read).join('\n')
  const named = all(text, /(?<=^Environment=.*)\b([A-Z][A-Z_]+)=/gm)
  expect(named.length).toBeGreaterThan(3)
  // The runtime reads the last one.
  expect(named.filter((name) => !settings.has(name))).toEqual(['NODE_COMPILE_CACHE'])
  const packaged = all(read('deploy/debian/vidimus.env'), /^([A-Z_]+)=/gm)
  expect(packaged.length).toBeGreaterThan(7)
  expect(packaged.filter((name) => !settings.has(name))).toEqual([])
})

test('no example lets a crash write the memory of the program, with its keys, to a file', () => {
  expect(read('deploy/systemd/vidimus-.service.d/common.conf')).toMatch(/^LimitCORE=0$/m)
  const [, service = ''] = /^x-vidimus:([^]*?)^services:/m.exec(compose) ?? []
  expect(service).toMatch(/^ {2}ulimits: \{ core: 0 \}$/m)
})

test('only listed files enter the build of the image, and keys and settings never do', () => {
  const lines = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  expect(lines[0]).toBe('*')
  const listed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  expect(listed.filter((path) => !existsSync(path))).toEqual([])
  expect(listed.filter((path) => /^\.?(?:git|env|vidimus|secrets|results)/.test(path))).toEqual([])
  // A later line decides, so these hold in the listed folders too.
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('!')))
  for (const pattern of ['**/.env*', '**/*.key', '**/*.pem', '**/node_modules'])
    expect(last).toContain(pattern)
})

test('no source file is left out of the build of the image', () => {
  const names = all(read('.dockerignore'), /^\*\*\/([\w.-]+)$/gm)
  const sources = globSync('{apps,packages}/*/src/**/*.{ts,tsx,css,js,json,svg}')
  const left = sources.filter((file) => file.split('/').some((part) => names.includes(part)))
  expect(names).toContain('dist')
  expect(sources.length).toBeGreaterThan(1000)
  expect(left).toEqual([])
})
