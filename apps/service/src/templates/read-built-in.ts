import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { checkTemplate, isTemplate, type Template } from '@vidimus/protocol'
import { buildAgeTemplate, templateAges } from './build-age-template.ts'

const folder = new URL('built-in/', import.meta.url)

/** The templates that every tenant has, by key (TPL-2): those for ages, and the others from one file each, named after its key. */
export function readBuiltInTemplates(): ReadonlyMap<string, Template> {
  const ofAges = templateAges.flatMap((years): [string, Template][] => [
    [`age_over_${years}`, buildAgeTemplate(years, { strict: false })],
    [`age_over_${years}_strict`, buildAgeTemplate(years, { strict: true })],
  ])
  const others = readdirSync(folder).map((file): [string, Template] => [
    basename(file, '.json'),
    readTemplate(file),
  ])
  return new Map([...ofAges, ...others].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function readTemplate(file: string): Template {
  const template: unknown = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
  if (isTemplate(template)) return template
  const violations = checkTemplate(template).map(({ place, rule }) => `${place}: ${rule}`)
  throw new Error(`Built-in template ${file}: ${violations.join('; ')}`)
}
