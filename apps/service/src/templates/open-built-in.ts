import type { Config } from '../engine/config/index.ts'
import type { Context } from '../engine/context.ts'
import { readBuiltInTemplates } from './built-in/read-built-in.ts'
import { readPidTypes } from './pid-types.ts'
import { insertVersions } from './store.ts'
import { type TemplateVersion, toTemplateVersion } from './version.ts'

export type TemplateContext = Context & {
  /** The templates that every tenant has, by key, in the form in which verifications refer to them. */
  builtInTemplates: ReadonlyMap<string, TemplateVersion>
}

/** Makes the built-in templates for the configured PID types. Throws a ConfigError if PID_TYPES_FILE is invalid. */
export function openBuiltInTemplates({
  PID_TYPES_FILE,
}: Pick<Config, 'PID_TYPES_FILE'>): TemplateContext['builtInTemplates'] {
  const templates = readBuiltInTemplates(readPidTypes(PID_TYPES_FILE))
  return new Map([...templates].map(([key, template]) => [key, toTemplateVersion(template)]))
}

/** Inserts the versions that this program ships, so that verifications can refer to them. `serve` calls it before it listens. */
export async function insertBuiltInTemplates({
  db,
  builtInTemplates,
}: Pick<TemplateContext, 'db' | 'builtInTemplates'>): Promise<void> {
  await insertVersions(db, [...builtInTemplates.values()])
}
