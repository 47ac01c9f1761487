import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A part of a file, from the line above which its source is named. */
type Part = { line: number; source: string }
const filesParts = new Map<string, Part[]>()
const programFolder = new URL('../../', import.meta.url).href

/**
 * The source of a line of the packed program, such as `apps/service/src/main.ts`. There many sources are one file, which names each above its
 * part. Undefined in the sources themselves.
 */
export function packedSource(url: string, line: number): string | undefined {
  if (!url.startsWith(programFolder) || !url.endsWith('.js')) return undefined
  let parts = filesParts.get(url)
  if (parts === undefined) {
    parts = readParts(url)
    if (parts === undefined) return undefined
    filesParts.set(url, parts)
  }
  return parts.findLast((part) => part.line < line)?.source
}

function readParts(url: string): Part[] | undefined {
  let text: string
  try {
    text = readFileSync(fileURLToPath(url), 'utf8')
  } catch {
    // An upgrade has replaced it.
    return undefined
  }
  return text.split('\n').flatMap((content, index) => {
    const source = /^\/\/ (\S+\.[cm]?[jt]s)$/.exec(content)?.[1]
    return source === undefined ? [] : [{ line: index + 1, source }]
  })
}
