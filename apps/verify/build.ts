import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const source = new URL('src/', import.meta.url)
const out = new URL('dist/', import.meta.url)

/** Builds the page's script and style, and a manifest with their names, which contain a hash of their content. */
async function buildPage(): Promise<void> {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out)
  const manifest = {
    script: writeHashed('script', 'js', await bundleScript()),
    style: writeHashed('style', 'css', minifyStyle(readStyles())),
  }
  writeFileSync(new URL('manifest.json', out), `${JSON.stringify(manifest, null, 2)}\n`)
}

async function bundleScript(): Promise<string> {
  await using build = await rolldown({
    input: fileURLToPath(new URL('script.ts', source)),
    platform: 'browser',
  })
  const { output } = await build.generate({ format: 'esm', minify: true, comments: false })
  const [script, ...others] = output
  if (others.length > 0) throw new Error('The script must be one file.')
  return script.code
}

function readStyles(): string {
  const tokens = import.meta.resolve('@vidimus/tokens/tokens.css')
  return readFileSync(new URL(tokens), 'utf8') + readFileSync(new URL('style.css', source), 'utf8')
}

/** Comments, indents and line breaks are for the readers of the source. */
function minifyStyle(css: string): string {
  return css
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .trim()
}

function writeHashed(name: string, ending: string, content: string): string {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8)
  const file = `${name}-${hash}.${ending}`
  writeFileSync(new URL(file, out), content)
  return file
}

await buildPage()
