import { getCallSites } from 'node:util'

/** The function that sends a statement, such as `verifications.createVerifications`, and its module. */
export type StatementName = { name: string; module: string }

const maxFrames = 12
const names = new WeakMap<object, StatementName>()
/** What a statement passes through between the function that wrote it and here. The packed program has the same files as `.js`. */
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
  const sender = getCallSites(maxFrames).find(
    ({ functionName, scriptName }) => functionName !== '' && !passed.test(scriptName),
  )
  if (sender === undefined) return unknown
  const module = modulePattern.exec(sender.scriptName)?.[1]
  return module === undefined
    ? { name: sender.functionName, module: unknown.module }
    : { name: `${module}.${sender.functionName}`, module }
}
