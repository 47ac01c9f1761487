import { readFileSync } from 'node:fs'
import { builtInTemplateNames } from '@vidimus/contract'
import { type Template, checkTemplate, isTemplate } from '@vidimus/protocol'
import type { Db } from '../../engine/db/index.ts'
import { insertVersions } from '../store.ts'
import { type TemplateVersion, toTemplateVersion } from '../version.ts'

const pid = 'eu.europa.ec.eudi.pid.1'
const germanPid = 'eu.europa.ec.eudi.pid.de.1'
const sources = [
  'EU age verification profile',
  'ISO/IEC 18013-5',
  'ISO/IEC 23220 (photo ID)',
  'PID Rulebook 1.7 of the EUDI Architecture and Reference Framework',
  'German PID, type urn:eudi:pid:de:1',
]

/** The templates that every tenant has, by key: those for ages, and the others from one file each, named after its key. */
export function readBuiltInTemplates(): ReadonlyMap<string, Template> {
  return new Map(builtInTemplateNames.map((name) => [name, readTemplate(name)]))
}

function readTemplate(name: string): Template {
  const [, years, strict] = /^age_over_(\d+)(_strict)?$/.exec(name) ?? []
  if (years !== undefined) return buildAgeTemplate(Number(years), { strict: strict !== undefined })
  const file = new URL(`${name}.json`, import.meta.url)
  const template: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (isTemplate(template)) return template
  const violations = checkTemplate(template).map(({ place, rule }) => `${place}: ${rule}`)
  throw new Error(`Built-in template ${name}: ${violations.join('; ')}`)
}

/** The templates that every tenant has, by key, in the form in which verifications refer to them. Read once. */
export const builtInTemplates: ReadonlyMap<string, TemplateVersion> = new Map(
  [...readBuiltInTemplates()].map(([key, template]) => [key, toTemplateVersion(template)]),
)

/** Inserts the versions that this program ships, so that verifications can refer to them. `serve` calls it before it listens. */
export async function insertBuiltInTemplates(db: Db): Promise<void> {
  await insertVersions(db, [...builtInTemplates.values()])
}

/**
 * A template for a minimum age. The strict one accepts only an age that the issuer states; the other one derives the age from
 * the birth date if the credential has no age attribute.
 */
export function buildAgeTemplate(years: number, { strict }: { strict: boolean }): Template {
  const age = `age_over_${years}`
  const pidAge = ['age_equal_or_over', String(years)]
  return {
    name: strict ? `Age over ${years}, stated by the issuer` : `Age over ${years}`,
    description: strict
      ? `The holder is ${years} or older, as stated by the issuer. A basic PID has no age attribute and does not qualify.`
      : `The holder is ${years} or older. If the document has no age attribute, the age is calculated from the birth date, which is neither stored nor shown.`,
    query: {
      credentials: [
        mdoc('av', 'eu.europa.ec.av.1', [{ path: ['eu.europa.ec.av.1', age] }]),
        mdoc('mdl', 'org.iso.18013.5.1.mDL', [{ path: ['org.iso.18013.5.1', age] }]),
        mdoc('photo_id', 'org.iso.23220.photoID.1', [{ path: ['org.iso.23220.1', age] }]),
        {
          id: 'pid_sd_jwt',
          format: 'dc+sd-jwt',
          meta: { vct_values: ['urn:eudi:pid:1', 'urn:eudi:pid:de:1'] },
          ...(strict
            ? { claims: [{ path: pidAge }] }
            : {
                claims: [
                  { id: `a${years}`, path: pidAge },
                  { id: 'bd', path: ['birthdate'] },
                ],
                claim_sets: [[`a${years}`], ['bd']],
              }),
        },
        {
          ...mdoc('pid_mdoc', pid, [
            { id: 'de', path: [germanPid, age] },
            { id: 'eu', path: [pid, age] },
            ...(strict ? [] : [{ id: 'bd', path: [pid, 'birth_date'] }]),
          ]),
          claim_sets: strict ? [['de'], ['eu']] : [['de'], ['eu'], ['bd']],
        },
      ],
      credential_sets: [{ options: [['av'], ['mdl'], ['photo_id'], ['pid_sd_jwt'], ['pid_mdoc']] }],
    },
    claims: {
      [age]: [
        { credential: 'av', path: ['eu.europa.ec.av.1', age] },
        { credential: 'mdl', path: ['org.iso.18013.5.1', age] },
        { credential: 'photo_id', path: ['org.iso.23220.1', age] },
        { credential: 'pid_sd_jwt', path: pidAge },
        { credential: 'pid_mdoc', path: [germanPid, age] },
        { credential: 'pid_mdoc', path: [pid, age] },
      ],
      ...(!strict && {
        birth_date: [
          { credential: 'pid_sd_jwt', path: ['birthdate'], as: 'date' },
          { credential: 'pid_mdoc', path: [pid, 'birth_date'], as: 'date' },
        ],
      }),
    },
    must: { [age]: { equals: true } },
    ...(!strict && { derive: { [age]: { from: 'birth_date', at_least_years: years } } }),
    sources,
  }
}

function mdoc(id: string, doctype_value: string, claims: { id?: string; path: string[] }[]) {
  return {
    id,
    format: 'mso_mdoc',
    meta: { doctype_value },
    claims,
  }
}
