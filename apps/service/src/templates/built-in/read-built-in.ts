import { readFileSync } from 'node:fs'
import { builtInTemplateNames } from '@vidimus/contract'
import {
  type CredentialQuery,
  type SavedTemplate,
  type Template,
  basePidType,
  bindTemplate,
  checkTemplate,
} from '@vidimus/protocol'
import { ConfigError } from '../../engine/config/index.ts'
import { type PidType, readPidTypes } from '../pid-types.ts'
import { buildAgeTemplate } from './build-age-template.ts'

/**
 * The templates that every tenant has, by key: those for ages, and the others from one file each, named after its key. Whatever asks for
 * a PID asks for every type of PID in one query: a wallet compares the types with a registration, which names the base type.
 */
export function readBuiltInTemplates(
  types: readonly PidType[] = readPidTypes(),
): ReadonlyMap<string, SavedTemplate> {
  return new Map(builtInTemplateNames.map((name) => [name, readTemplate(name, types)]))
}

const names: ReadonlySet<string> = new Set(builtInTemplateNames)

export function isBuiltIn(key: string): boolean {
  return names.has(key)
}

function readTemplate(name: string, types: readonly PidType[]): SavedTemplate {
  const template = makeTemplate(name, types)
  const violations = checkTemplate(template).map(({ place, rule }) => `${place}: ${rule}`)
  if (violations.length > 0)
    throw new ConfigError([`PID_TYPES_FILE makes the template ${name} invalid: ${violations.join('; ')}`])
  return template
}

function makeTemplate(name: string, types: readonly PidType[]): SavedTemplate {
  const [age, years, variant] = /^age_over(?:_(\d+))?(?:_(strict|photo))?$/.exec(name) ?? []
  if (age !== undefined) {
    const anyAge = buildAgeTemplate({ strict: variant === 'strict', photo: variant === 'photo' }, types)
    if (years === undefined) return anyAge
    const bound = bindTemplate(anyAge, { age: Number(years) })
    if ('violation' in bound) throw new Error(`${name}: ${bound.violation.rule}`)
    return bound.template
  }
  const file = new URL(`${name}.json`, import.meta.url)
  return addPidTypes(JSON.parse(readFileSync(file, 'utf8')) as Template, types) // checked by `readTemplate`
}

/** Adds the national types to each credential that may be of the base type. */
function addPidTypes(template: Template, types: readonly PidType[]): Template {
  const credentials = (template.query.credentials as CredentialQuery[]).map((credential) => {
    const { vct_values = [] } = credential.meta
    if (!vct_values.includes(basePidType)) return credential
    return {
      ...credential,
      meta: { ...credential.meta, vct_values: [...vct_values, ...types.map(({ vct }) => vct)] },
    }
  })
  const isPid = credentials.some((credential, index) => credential !== template.query.credentials[index])
  return {
    ...template,
    query: { ...template.query, credentials },
    sources: [...(template.sources ?? []), ...(isPid ? types.map(({ source }) => source) : [])],
  }
}
