import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildProgram } from '../program-package/build-program.ts'
import { keepInstalled } from '../program-package/keep-installed.ts'

const architectures: Record<string, string> = { x64: 'amd64', arm64: 'arm64' }
/** What an operator copies, beside the documents. */
const examples = ['alerts.yaml', 'grafana-dashboard.json', 'Caddyfile', 'haproxy.cfg', 'nginx.conf']
const maintainerScripts = ['postinst', 'prerm', 'postrm']
/** Of dependencies: maps, declarations, documents, tests, and what their authors work with. Licences stay. */
const notLoaded = [
  '**/*.{ts,cts,mts,map,md,markdown,html,sh}',
  '**/{test,tests,spec,scripts,integration,benchmarks,.github}',
  '**/.{eslintrc,eslintrc.*,npmignore,gitattributes}',
]

/** `none` is fast to build, and large. */
type Options = { compression?: 'xz' | 'none' }

/**
 * Writes a Debian package into a folder: the program with its dependencies, and the Node that runs this, because Debian's is older. Its units
 * are those of deploy/systemd. Needs `dpkg-deb`, and the front ends built.
 */
export async function buildDebianPackage(out: string, { compression = 'xz' }: Options = {}): Promise<string> {
  const architecture = architectures[process.arch]
  if (architecture === undefined || process.platform !== 'linux')
    throw new Error(`no package can be built on ${process.platform} ${process.arch}`)
  const { version } = JSON.parse(readFileSync('apps/service/package.json', 'utf8'))
  const root = mkdtempSync(join(tmpdir(), 'vidimus-deb-'))
  try {
    // The folder becomes `/` of the machine.
    chmodSync(root, 0o755)
    await addProgram(join(root, 'usr/lib/vidimus'))
    addSystemFiles(root)
    addDocuments(join(root, 'usr/share/doc/vidimus'), version)
    addControl(root, { Version: version, Architecture: architecture })
    mkdirSync(out, { recursive: true })
    const file = join(out, `vidimus_${version}_${architecture}.deb`)
    execFileSync('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '--build', root, file], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    return file
  } finally {
    rmSync(root, { recursive: true })
  }
}

/** The same tree as in the image. */
async function addProgram(folder: string): Promise<void> {
  await buildProgram(folder)
  rmSync(join(folder, 'README.md'))
  rmSync(join(folder, 'LICENSE'))
  const modules = installDependencies()
  try {
    for (const path of ['node_modules', 'apps/service/node_modules'])
      if (existsSync(join(modules, path)))
        cpSync(join(modules, path), join(folder, path), { recursive: true, verbatimSymlinks: true })
  } finally {
    rmSync(modules, { recursive: true })
  }
  mkdirSync(join(folder, 'bin'))
  copyFileSync(process.execPath, join(folder, 'bin/node'))
  chmodSync(join(folder, 'bin/node'), 0o755)
  // Without the shebang of the npm package: /usr/bin/vidimus names its Node.
  chmodSync(join(folder, 'apps/service/src/main.js'), 0o644)
}

/** What the lockfile says that the program loads beside its own files, in a folder of its own. */
function installDependencies(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-modules-'))
  const manifests = ['package.json', 'package-lock.json', '.npmrc', 'examples/package.json']
  for (const file of [...manifests, ...globSync('{apps,packages}/*/package.json')])
    copy(file, join(folder, file))
  const args = ['ci', '--omit=dev', '--omit=optional', '--workspace=@vidimus/service']
  const quiet = ['--include-workspace-root=false', '--prefer-offline', '--no-audit', '--no-fund', '--silent']
  execFileSync('npm', [...args, ...quiet], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  keepInstalled(folder)
  const find = (patterns: readonly string[]) =>
    globSync(
      patterns.map((pattern) => `{,apps/service/}node_modules/${pattern}`),
      { cwd: folder, withFileTypes: true },
    ).map((entry) => ({ path: join(entry.parentPath, entry.name), isFile: entry.isFile() }))
  for (const { path } of find(notLoaded).filter(({ path: each }) => !/licen[cs]e/i.test(basename(each))))
    rmSync(path, { recursive: true, force: true })
  // Nothing of them is a command here.
  for (const { path, isFile } of find(['**', '**/.*'])) if (isFile) chmodSync(path, 0o644)
  return folder
}

function addSystemFiles(root: string): void {
  copy('deploy/debian/vidimus', join(root, 'usr/bin/vidimus'), 0o755)
  copy('deploy/debian/vidimus-restart', join(root, 'usr/sbin/vidimus-restart'), 0o755)
  copy('deploy/debian/vidimus-backup', join(root, 'usr/sbin/vidimus-backup'), 0o755)
  copy('deploy/debian/record-result', join(root, 'usr/lib/vidimus/record-result'), 0o755)
  copy('deploy/debian/pgbackrest.conf', join(root, 'usr/share/vidimus/pgbackrest.conf'))
  for (const name of examples) copy(join('deploy', name), join(root, 'usr/share/vidimus', name))
  copy('deploy/debian/vidimus.env', join(root, 'etc/vidimus/vidimus.env'))
  copy('deploy/debian/sysusers.conf', join(root, 'usr/lib/sysusers.d/vidimus.conf'))
  copy('deploy/debian/tmpfiles.conf', join(root, 'usr/lib/tmpfiles.d/vidimus.conf'))
  for (const file of globSync('**/*.{service,timer,conf}', { cwd: 'deploy/systemd' }))
    copy(join('deploy/systemd', file), join(root, 'lib/systemd/system', file))
}

function addDocuments(folder: string, version: string): void {
  copy('CHANGELOG.md', join(folder, 'CHANGELOG.md'))
  writeText(
    join(folder, 'copyright'),
    [
      'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/',
      'Upstream-Name: vidimus\n',
      'Files: *',
      'Copyright: 2026 the authors of Vidimus',
      'License: Apache-2.0\n',
      'Files: usr/lib/vidimus/bin/node',
      'Copyright: 2009-2026 Node.js contributors and the authors of what it contains',
      'License: MIT and others',
      ' https://github.com/nodejs/node/blob/main/LICENSE\n',
      'Files: usr/lib/vidimus/node_modules/*',
      'Copyright: 2010-2026 as their package.json and licence files say',
      'License: as their package.json and licence files say\n',
      'License: Apache-2.0',
      ' On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.\n',
    ].join('\n'),
  )
  const entry = `vidimus (${version}) stable; urgency=medium\n\n  * CHANGELOG.md has what changed.\n\n -- Vidimus <vidimus@users.noreply.github.com>  ${new Date().toUTCString().replace('GMT', '+0000')}\n`
  writeFileSync(join(folder, 'changelog.gz'), gzipSync(entry, { level: 9 }))
}

function addControl(root: string, fields: Record<string, string>): void {
  const folder = join(root, 'DEBIAN')
  const installed_kb = globSync('**', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + Math.ceil(statSync(join(parentPath, name)).size / 1024), 0)
  const given = readFileSync('deploy/debian/control', 'utf8')
  const rows = Object.entries({ ...fields, 'Installed-Size': installed_kb })
  writeText(join(folder, 'control'), given + rows.map(([name, value]) => `${name}: ${value}\n`).join(''))
  writeText(join(folder, 'conffiles'), '/etc/vidimus/vidimus.env\n')
  for (const name of maintainerScripts) copy(join('deploy/debian', name), join(folder, name), 0o755)
}

function copy(from: string, to: string, mode = 0o644): void {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
  chmodSync(to, mode)
}

function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
