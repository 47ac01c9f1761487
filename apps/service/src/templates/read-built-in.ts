import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { checkTemplate, isTemplate, type Template } from '@vidimus/protocol'

const folder = new URL('built-in/', import.meta.url)

/** The templates that every tenant has, by key: one file each, named after its key (TPL-2). */
export function readBuiltInTemplates(): ReadonlyMap<string, Template> {
  const files = readdirSync(folder).toSorted()
  return new Map(files.map((file) => [basename(file, '.json'), readTemplate(file)]))
}

function readTemplate(file: string): Template {
  const template: unknown = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
  if (isTemplate(template)) return template
  const faults = checkTemplate(template).map(({ place, rule }) => `${place}: ${rule}`)
  throw new Error(`built-in template ${file}: ${faults.join('; ')}`)
}
