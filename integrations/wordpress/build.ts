import { execFileSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../..')
const slug = 'vidimus-age-gate'
/** The same files make the same archive. */
const packedAt = new Date('2026-01-01T00:00:00Z')

/** Packs the plugin with the PHP SDK into `dist`, as WordPress installs it. Needs `zip`. Returns the path of the archive. */
export function buildPlugin(): string {
  const folder = mkdtempSync(join(tmpdir(), `${slug}-`))
  const plugin = join(folder, slug)
  cpSync(join(here, 'plugin'), plugin, { recursive: true })
  cpSync(join(root, 'LICENSE'), join(plugin, 'LICENSE'))
  copySdk(join(root, 'sdks/php/src'), join(plugin, 'sdk'))
  mkdirSync(join(plugin, 'languages'))
  writeFileSync(join(plugin, `languages/${slug}.pot`), printTemplate(plugin))
  const files = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
  for (const file of files) utimesSync(file, packedAt, packedAt)
  const names = files.map((file) => file.slice(folder.length + 1))
  execFileSync('zip', ['-q', '-X', '-D', 'packed.zip', ...names], {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', TZ: 'UTC' },
  })
  mkdirSync(join(here, 'dist'), { recursive: true })
  const archive = join(here, `dist/${slug}.zip`)
  rmSync(archive, { force: true })
  cpSync(join(folder, 'packed.zip'), archive)
  rmSync(folder, { recursive: true })
  return archive
}

/** With a namespace of its own: two plugins may bring two versions of the SDK. */
function copySdk(from: string, to: string): void {
  const temporary = `${to}-copied`
  cpSync(from, temporary, { recursive: true })
  for (const file of globSync('**/*.php', { cwd: temporary })) {
    const path = join(temporary, file)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replaceAll(/\b(namespace|use) Vidimus\b/g, '$1 VidimusAgeGate\\Sdk'))
  }
  renameSync(temporary, to)
}

/** The texts for translators, in the format of gettext. */
function printTemplate(plugin: string): string {
  const call =
    /(?:__|esc_html__|esc_html_e|esc_attr_e|i18n\.__)\(\s*'((?:[^'\\]|\\.)+)',\s*'vidimus-age-gate'/g
  const texts = new Map<string, string[]>()
  for (const file of globSync('{includes/*.php,assets/*.js}', { cwd: plugin }).toSorted())
    for (const [, text = ''] of readFileSync(join(plugin, file), 'utf8').matchAll(call))
      texts.set(text, [...(texts.get(text) ?? []), file])
  const entries = [...texts].map(
    ([text, files]) =>
      `${files.map((file) => `#: ${file}\n`).join('')}msgid ${JSON.stringify(text.replaceAll("\\'", "'"))}\nmsgstr ""\n`,
  )
  const head = `msgid ""\nmsgstr ""\n"Project-Id-Version: Vidimus Age Gate\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n"X-Domain: ${slug}\\n"\n`
  return [head, ...entries].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${buildPlugin()}\n`)
