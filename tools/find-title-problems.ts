import { idPattern } from './requirements/title-ids.ts'

const list = new RegExp(String.raw`\[${idPattern}[^\]\n]*\]`, 'g')
const single = new RegExp(String.raw`^\[(${idPattern})\]$`)
const numberedLine = /\b(?:test|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*['"`]lines? (\d+)/g

/** What is wrong with the ids in the test titles of a source file. */
export function findTitleProblems(file: string, known: ReadonlySet<string>): string[] {
  const source = file.replaceAll(/^ *\/\/.*$/gm, '')
  return [
    ...Array.from(source.matchAll(list), ({ 0: text, index }) =>
      checkId(text, source.slice(0, index), known),
    ),
    ...Array.from(
      source.matchAll(numberedLine),
      ([, line]) => `line ${line} must be written as [OID4VP-${line}]`,
    ),
  ].filter((problem) => problem !== undefined)
}

function checkId(text: string, before: string, known: ReadonlySet<string>): string | undefined {
  const id = single.exec(text)?.[1]
  if (id === undefined) return `${text} must be one pair of brackets per id`
  if (!/(?:['"`]|\] )$/.test(before)) return `${text} must start the title or follow another id and a space`
  return known.has(id) ? undefined : `${id} is not a requirement`
}
