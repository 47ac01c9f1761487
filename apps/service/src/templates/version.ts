import { createHash } from 'node:crypto'
import type { Template } from '@vidimus/protocol'

/** A template as it will never change again, named by the hash of its text. */
export type TemplateVersion = { hash: Buffer; body: string; template: Template }

export function toTemplateVersion(template: Template): TemplateVersion {
  const body = JSON.stringify(template)
  return { hash: createHash('sha256').update(body).digest(), body, template }
}
