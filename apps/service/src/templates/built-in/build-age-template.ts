import { basePidType, type ClaimPlace, type ParameterisedTemplate, type Template } from '@vidimus/protocol'
import type { PidType } from '../pid-types.ts'

const basePid = 'eu.europa.ec.eudi.pid.1'

export type AgeTemplate = {
  /** Accepts only an age that the issuer states. Otherwise it is derived from the birth date of a credential without age attributes. */
  strict?: boolean
  /** Asks for a portrait too. */
  photo?: boolean
}

/** The parameter. An mdoc names an age with two digits (ISO/IEC 18013-5 §7.2.5). */
const parameters = { age: { type: 'integer', min: 10, max: 99, default: 18 } } as const
const years = '{age}'

/** A template for a minimum age, from every document that can prove it. */
export function buildAgeTemplate(
  { strict = false, photo = false }: AgeTemplate,
  types: readonly PidType[],
): ParameterisedTemplate {
  const age = `age_over_${years}`
  const documents = listDocuments(age, types).filter(({ portrait }) => !photo || portrait !== undefined)
  return {
    parameters,
    ...describe({ strict, photo }),
    query: {
      credentials: documents.map((document) => toCredential(document, { strict, photo })),
      credential_sets: [{ options: documents.map(({ id }) => [id]) }],
    },
    claims: {
      [age]: documents.flatMap(({ id, ages }) => ages.map((path) => ({ credential: id, path }))),
      ...(photo && { portrait: documents.map(toPortraitPlace) }),
      ...(!strict && {
        birth_date: documents.flatMap(({ id, birth_date }): ClaimPlace[] =>
          birth_date === undefined ? [] : [{ credential: id, path: birth_date, as: 'date' }],
        ),
      }),
    },
    must: { [age]: { equals: true }, ...(photo && { portrait: { not_empty: true } }) },
    ...(!strict && { derive: { [age]: { from: 'birth_date', at_least_years: { parameter: 'age' } } } }),
    sources: [
      ...(photo ? [] : ['EU age verification profile']),
      'ISO/IEC 18013-5',
      'ISO/IEC 23220 (photo ID)',
      'PID Rulebook 1.7 of the EUDI Architecture and Reference Framework',
      ...types.map(({ source }) => source),
    ],
  }
}

function describe({ strict, photo }: Required<AgeTemplate>): Pick<Template, 'name' | 'description'> {
  const suffix = photo ? ' with portrait' : strict ? ', stated by the issuer' : ''
  const portrait = photo ? ', with a portrait for staff to compare' : ''
  return {
    name: `Age over ${years}${suffix}`,
    description: strict
      ? `The holder is ${years} or older, as stated by the issuer. A basic PID has no age attribute and does not qualify.`
      : `The holder is ${years} or older${portrait}. If the document has no age attribute, the age is calculated from the birth date, which is neither stored nor shown.`,
  }
}

/** A document that proves an age, with the places of what is asked of it. */
type AgeDocument = {
  id: string
  format: 'mso_mdoc' | 'dc+sd-jwt'
  meta: { doctype_value: string } | { vct_values: string[] }
  /** In order of preference. */
  ages: string[][]
  birth_date?: string[]
  portrait?: string[]
}

function listDocuments(age: string, types: readonly PidType[]): AgeDocument[] {
  // Those of a state before those of the base type, which only older rulebooks have.
  const listAges = (format: AgeDocument['format'], base: string[]): string[][] => {
    const paths = types.flatMap((type) => {
      const path = type.age[format]
      return path === undefined ? [] : [path.map((part) => part.replace('NN', years))]
    })
    return [...new Map([...paths, base].map((path) => [JSON.stringify(path), path])).values()]
  }
  return [
    mdoc('av', 'eu.europa.ec.av.1', { ages: [['eu.europa.ec.av.1', age]] }),
    mdoc('mdl', 'org.iso.18013.5.1.mDL', {
      ages: [['org.iso.18013.5.1', age]],
      portrait: ['org.iso.18013.5.1', 'portrait'],
    }),
    mdoc('photo_id', 'org.iso.23220.photoID.1', {
      ages: [['org.iso.23220.1', age]],
      portrait: ['org.iso.23220.1', 'portrait'],
    }),
    {
      id: 'pid_sd_jwt',
      format: 'dc+sd-jwt',
      meta: { vct_values: [basePidType, ...types.map(({ vct }) => vct)] },
      ages: listAges('dc+sd-jwt', ['age_equal_or_over', years]),
      birth_date: ['birthdate'],
      portrait: ['picture'],
    },
    mdoc('pid_mdoc', basePid, {
      ages: listAges('mso_mdoc', [basePid, age]),
      birth_date: [basePid, 'birth_date'],
      portrait: [basePid, 'portrait'],
    }),
  ]
}

function mdoc(
  id: string,
  doctype_value: string,
  places: Pick<AgeDocument, 'ages' | 'birth_date' | 'portrait'>,
): AgeDocument {
  return { id, format: 'mso_mdoc', meta: { doctype_value }, ...places }
}

/** One of the ages or the birth date, and the portrait if it is asked for. */
function toCredential(
  { id, format, meta, ages, birth_date, portrait }: AgeDocument,
  { strict, photo }: { strict: boolean; photo: boolean },
): Record<string, unknown> {
  const proofs = [...ages, ...(strict || birth_date === undefined ? [] : [birth_date])]
  const always = photo && portrait !== undefined ? [portrait] : []
  if (proofs.length === 1)
    return { id, format, meta, claims: [...proofs, ...always].map((path) => ({ path })) }
  return {
    id,
    format,
    meta,
    claims: [
      ...proofs.map((path, index) => ({ id: `age_${index + 1}`, path })),
      ...always.map((path) => ({ id: 'portrait', path })),
    ],
    claim_sets: proofs.map((_, index) => [`age_${index + 1}`, ...always.map(() => 'portrait')]),
  }
}

/** The bytes of an mdoc become a data URL, which an SD-JWT VC already has. */
function toPortraitPlace({ id, format, portrait = [] }: AgeDocument): ClaimPlace {
  return { credential: id, path: portrait, ...(format === 'mso_mdoc' && { as: 'image' }) }
}
