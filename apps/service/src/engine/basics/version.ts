import { readFileSync } from 'node:fs'

let version: string | undefined

/** The version of this program, also of the packed one. */
export function programVersion(): string {
  if (version === undefined) {
    const manifest: { version: string } = JSON.parse(
      readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
    )
    ;({ version } = manifest)
  }
  return version
}
