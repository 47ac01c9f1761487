import { getCallSites } from 'node:util'
import { boundedMap } from '@vidimus/protocol'

/** Texts with past days are not kept for ever. */
const maxNames = 2000
const maxFrames = 12
const names = boundedMap<string, string>(maxNames)
/** What a statement passes through between the function that wrote it and here. The packed program has the same files as `.js`. */
const passed =
  /\/engine\/(?:observability\/(?:tracing|spans)\b|db\/(?:open|change-version\/query-as-of|group-by-day|batch-rows)\.[jt]s$)/

/**
 * A name for a statement: the module and the function that sends it, such as `verifications.createVerifications`. A statement's own name is a
 * hash, and its text may contain a day. The stack is read once for each text.
 */
export function nameStatement(texts: readonly string[]): string {
  const text = texts.join('$')
  let name = names.get(text)
  if (name === undefined) {
    name = findSender()
    names.set(text, name)
  }
  return name
}

function findSender(): string {
  const sender = getCallSites(maxFrames).find(
    ({ functionName, scriptName }) => functionName !== '' && !passed.test(scriptName),
  )
  if (sender === undefined) return 'statement'
  const module = /.*\/src\/([^/.]+)\//.exec(sender.scriptName)?.[1]
  return module === undefined ? sender.functionName : `${module}.${sender.functionName}`
}
