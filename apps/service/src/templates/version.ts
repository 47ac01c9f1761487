import { createHash } from 'node:crypto'
import type { SavedTemplate } from '@vidimus/protocol'

/** An immutable version of a template, identified by the hash of its text. */
export type TemplateVersion = { hash: Buffer; body: string; template: SavedTemplate }

export function toTemplateVersion(template: SavedTemplate): TemplateVersion {
  const body = JSON.stringify(template)
  return { hash: createHash('sha256').update(body).digest(), body, template }
}
