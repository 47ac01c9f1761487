import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('src/', import.meta.url))

/** For rolldown: an imported style sheet becomes its text. */
export const importStyles = {
  name: 'import-styles',
  load(file: string) {
    if (!file.endsWith('.css')) return null
    const text = minifyStyle(readFileSync(file, 'utf8'))
    const shortened = file.endsWith('/tokens.css') ? dropUnused(text) : text
    return { code: `export default ${JSON.stringify(shortened)}`, moduleType: 'js' as const }
  },
}

/** Comments, indents and line breaks are for the readers of the source. */
export function minifyStyle(css: string): string {
  return (
    css
      .replaceAll(/\/\*[^]*?\*\//g, '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/ ?([{};,]) ?/g, '$1')
      .replaceAll(/: /g, ':')
      .replaceAll(/ > /g, '>')
      // 0.5rem is .5rem.
      .replaceAll(/(?<![\w.])0(?=\.\d)/g, '')
      .replaceAll(';}', '}')
      .trim()
  )
}

/** The tokens that the component's own styles use: every byte is downloaded by holders. */
function dropUnused(tokens: string): string {
  const styles = globSync('**/*.css', { cwd: source }).map((file) => readFileSync(source + file, 'utf8'))
  const used = new Set([tokens, ...styles].flatMap((css) => css.match(/(?<=var\()--[\w-]+/g) ?? []))
  return tokens.replaceAll(/(--[\w-]+):[^;}]*;?/g, (declaration, name) => (used.has(name) ? declaration : ''))
}
