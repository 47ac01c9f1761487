import { readFileSync } from 'node:fs'

/** A code block of a document. */
export type Block = {
  document: string
  line: number
  /** The first word after the fence: `sh`, `json`, `ts`. */
  language: string
  /** The other words: `terminal=service` says in which shell a command runs, `of=Verification` which schema a JSON text matches. */
  attributes: Record<string, string>
  text: string
}

const fence = /^( *)```(\S*)([^\n]*)\n([\s\S]*?)^\1```$/gm

/** Every fenced block of a document, in order. */
export function readBlocks(document: string): Block[] {
  const text = readFileSync(document, 'utf8')
  return [...text.matchAll(fence)].map(({ index, 2: language = '', 3: rest = '', 4: body = '' }) => ({
    document,
    line: text.slice(0, index).split('\n').length,
    language,
    attributes: parseAttributes(rest),
    text: body,
  }))
}

/** `terminal=service until="Vidimus is listening" install` */
function parseAttributes(text: string): Record<string, string> {
  const matches = [...text.matchAll(/([a-z]+)(?:=(?:"((?:[^"\\]|\\.)*)"|(\S+)))?/g)]
  return Object.fromEntries(
    matches.map(([, name = '', quoted, plain]) => [
      name,
      quoted?.replaceAll(String.raw`\"`, `"`) ?? plain ?? '',
    ]),
  )
}
