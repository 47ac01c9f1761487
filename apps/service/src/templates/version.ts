import { createHash } from 'node:crypto'
import type { Template } from '@vidimus/protocol'

/** An immutable version of a template, identified by the hash of its text. */
export type TemplateVersion = { hash: Buffer; body: string; template: Template }

export function toTemplateVersion(template: Template): TemplateVersion {
  const body = JSON.stringify(template)
  return { hash: createHash('sha256').update(body).digest(), body, template }
}
