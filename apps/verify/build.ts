import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { importStyles, minifyStyle } from '@vidimus/component/build-styles'
import { rolldown } from 'rolldown'

const source = new URL('src/', import.meta.url)
const out = new URL('dist/', import.meta.url)

/** Builds the page's script and style, and a manifest with their names, which contain a hash of their content. */
async function buildPage(): Promise<void> {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out)
  const manifest = {
    script: writeHashed('script', 'js', await bundleScript('script.ts')),
    style: writeHashed('style', 'css', minifyStyle(readStyles())),
  }
  writeFileSync(new URL('manifest.json', out), `${JSON.stringify(manifest, null, 2)}\n`)
  writeFileSync(new URL('receipt-check.html', out), await buildReceiptPage())
}

/** The page that checks receipts: one file, whose policy allows its own script and style, and no request. */
async function buildReceiptPage(): Promise<string> {
  const folder = new URL('receipts/', source)
  const tokens = readFileSync(new URL(import.meta.resolve('@vidimus/tokens/tokens.css')), 'utf8')
  const style = minifyStyle(tokens + readFileSync(new URL('page.css', folder), 'utf8'))
  // Otherwise the end of a script in one of its strings would end it in the page.
  const script = (await bundleScript('receipts/page.ts')).trim().replaceAll('</', '<\\/')
  const policy = [
    "default-src 'none'",
    `script-src '${hashSource(script)}'`,
    `style-src '${hashSource(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const page = readFileSync(new URL('page.html', folder), 'utf8')
  return page
    .replace('{policy}', () => policy)
    .replace('<!-- style -->', () => `<style>${style}</style>`)
    .replace('<!-- script -->', () => `<script type="module">${script}</script>`)
}

function hashSource(content: string): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`
}

async function bundleScript(entry: string): Promise<string> {
  await using build = await rolldown({
    input: fileURLToPath(new URL(entry, source)),
    platform: 'browser',
    plugins: [importStyles],
  })
  const { output } = await build.generate({ format: 'esm', minify: true, comments: false })
  const [script, ...others] = output
  if (others.length > 0) throw new Error('The script must be one file.')
  return script.code
}

/** The tokens, what the page shares with the component, and its own. */
function readStyles(): string {
  const files = [
    import.meta.resolve('@vidimus/tokens/tokens.css'),
    import.meta.resolve('@vidimus/component/parts.css'),
    new URL('style.css', source),
  ]
  return files.map((file) => readFileSync(new URL(file), 'utf8')).join('')
}

function writeHashed(name: string, ending: string, content: string): string {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8)
  const file = `${name}-${hash}.${ending}`
  writeFileSync(new URL(file, out), content)
  return file
}

await buildPage()
