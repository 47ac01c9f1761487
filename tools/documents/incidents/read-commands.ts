import { readBlocks, type Block } from '../read-blocks.ts'

/** A command of a page, and what the page says that it prints. */
export type DocumentedCommand = { command: Block; output: string }

/** The commands of a page in order. Each must be followed by a block without a language, its output. */
export function readCommands(document: string): DocumentedCommand[] {
  const blocks = readBlocks(document)
  return blocks.flatMap((command, index) => {
    if (command.language !== 'sh') return []
    const next = blocks[index + 1]
    if (next === undefined || next.language !== '')
      throw new Error(`${document}:${command.line} has no block with its output`)
    return [{ command, output: next.text }]
  })
}

/** Whether a command printed what its page says, line by line from the first. `…` stands for any text within a line; indents do not count. */
export function matchesOutput(printed: string, documented: string): boolean {
  const lines = (text: string) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  const actual = lines(printed)
  return lines(documented).every((line, index) => toPattern(line).test(actual[index] ?? ''))
}

function toPattern(line: string): RegExp {
  const parts = line
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/ +/g, ' +'))
  return new RegExp(`^${parts.join('.*')}$`)
}
