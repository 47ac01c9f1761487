import { createHash } from 'node:crypto'
import type { Template } from '@vidimus/protocol'

/** A template as it will never change again, named by the hash of its text. */
export type Version = { hash: Buffer; body: string; template: Template }

export function versionOf(template: Template): Version {
  const body = JSON.stringify(template)
  return { hash: createHash('sha256').update(body).digest(), body, template }
}
