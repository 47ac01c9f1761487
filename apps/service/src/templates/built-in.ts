import type { Db } from '../engine/db/index.ts'
import { readBuiltInTemplates } from './read-built-in.ts'
import { insertVersions } from './store.ts'
import { toTemplateVersion, type TemplateVersion } from './version.ts'

/** The templates that every tenant has, by key, in the form in which sessions refer to them. Read once. */
export const builtInTemplates: ReadonlyMap<string, TemplateVersion> = new Map(
  [...readBuiltInTemplates()].map(([key, template]) => [key, toTemplateVersion(template)]),
)

/** Inserts the versions that this program ships, so that sessions can refer to them. `serve` calls it before it listens. */
export async function insertBuiltInTemplates(db: Db): Promise<void> {
  await insertVersions(db, [...builtInTemplates.values()])
}
