import { readFileSync } from 'node:fs'

/** Every id that a test title may have: the lines of requirements.md and of openid4vp.md. */
export function readRequirementIds(): Set<string> {
  const requirements = readFileSync('docs/internals/requirements.md', 'utf8')
  const protocol = readFileSync('docs/reference/openid4vp.md', 'utf8')
  return new Set([
    ...Array.from(requirements.matchAll(/^- ([A-Z]+-\d+)/gm), ([, id = '']) => id),
    ...Array.from(protocol.matchAll(/^(\d+)\. /gm), ([, number]) => `OID4VP-${number}`),
  ])
}
