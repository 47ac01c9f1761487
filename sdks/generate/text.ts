export function pascal(name: string): string {
  return name.replaceAll(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase())
}

export function camel(name: string): string {
  return lowerFirst(pascal(name))
}

export function snake(name: string): string {
  return name
    .replaceAll('-', '_')
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase()
}

export function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}

export const notice =
  'Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.'

const maxWidth = 110

/** A list between brackets, on one line if it fits, or else on filled lines that are indented further. */
export function fillLines(head: string, parts: string[], tail: string, comma = ','): string {
  const short = `${head}${parts.join(', ')}${tail}`
  if (short.length <= maxWidth || parts.length === 0) return short
  const indent = /^\s*/.exec(head)?.[0] ?? ''
  const step = indent.startsWith('\t') ? '\t' : '    '
  const lines: string[] = []
  for (const part of parts) {
    const last = lines.at(-1)
    const longer = `${last}, ${part}`
    if (last !== undefined && longer.length < maxWidth && !longer.includes('\n'))
      lines[lines.length - 1] = longer
    else lines.push(`${indent}${step}${part}`)
  }
  return `${head}\n${lines.join(',\n')}${comma}\n${indent}${tail}`
}

/** The first sentences that fit into a comment of one line. */
export function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('*/', '* /')
}
