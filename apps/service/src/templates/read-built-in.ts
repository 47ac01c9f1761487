import { readFileSync } from 'node:fs'
import { builtInTemplateNames } from '@vidimus/contract'
import { checkTemplate, isTemplate, type Template } from '@vidimus/protocol'
import { buildAgeTemplate } from './build-age-template.ts'

/** The templates that every tenant has, by key (TPL-2): those for ages, and the others from one file each, named after its key. */
export function readBuiltInTemplates(): ReadonlyMap<string, Template> {
  return new Map(builtInTemplateNames.map((name) => [name, readTemplate(name)]))
}

function readTemplate(name: string): Template {
  const [, years, strict] = /^age_over_(\d+)(_strict)?$/.exec(name) ?? []
  if (years !== undefined) return buildAgeTemplate(Number(years), { strict: strict !== undefined })
  const file = new URL(`built-in/${name}.json`, import.meta.url)
  const template: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (isTemplate(template)) return template
  const violations = checkTemplate(template).map(({ place, rule }) => `${place}: ${rule}`)
  throw new Error(`Built-in template ${name}: ${violations.join('; ')}`)
}
