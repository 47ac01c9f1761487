import { getCallSites } from 'node:util'
import { packedSource } from './packed-source.ts'

/** The function that sends a statement, such as `verifications.createVerifications`, and its module. */
export type StatementName = { name: string; module: string }

const maxFrames = 12
const names = new WeakMap<object, StatementName>()
/** What a statement passes through between the function that wrote it and here. */
const passed =
  /\/engine\/(?:observability\/(?:tracing|spans|name-statement)\b|db\/(?:open|change-version\/query-as-of|group-by-day|batch-rows)\.[jt]s$)/
/** The folders below `src`. */
const modulePattern = /.*\/src\/([^/.]+)\//
const unknown: StatementName = { name: 'statement', module: 'other' }

/**
 * A name for a statement. A statement's own name is a hash, and its text may contain a day. The stack is read once for each place in the
 * source, whose template is always the same object.
 */
export function nameStatement(template: object): StatementName {
  let name = names.get(template)
  if (name === undefined) {
    name = findSender()
    names.set(template, name)
  }
  return name
}

function findSender(): StatementName {
  for (const frame of getCallSites(maxFrames)) {
    const source = packedSource(frame.scriptName, frame.lineNumber) ?? frame.scriptName
    // Of functions with one name in a file, the bundler numbers all but one.
    const functionName = frame.functionName.replace(/\$\d+$/, '')
    if (functionName === '' || passed.test(source)) continue
    const module = modulePattern.exec(source)?.[1]
    return module === undefined
      ? { name: functionName, module: unknown.module }
      : { name: `${module}.${functionName}`, module }
  }
  return unknown
}
