import type { AnyQuery, ClaimsPath } from '../dcql/query.ts'

/** TPL-1. A query, and what the merchant receives of the response. */
export type Template = TemplateRules & {
  name: string
  description: string
  query: AnyQuery
  /** Why it asks, in different languages. The first is what the wallet is told and what is recorded. */
  purpose?: LocalText[]
  /** References for the names of types and claims. */
  sources?: string[]
}

/** A text in one language, by its code of two letters. */
export type LocalText = { lang: string; content: string }

/** A template as it is saved: its parameters have no values yet. */
export type SavedTemplate = Template | ParameterisedTemplate

/**
 * `{name}` in any of its texts and member names, and `{"parameter": name}` in the place of a value, stand for a parameter. Whatever
 * reads its query or rules binds it first.
 */
export type ParameterisedTemplate = {
  name: string
  description: string
  parameters: Record<string, Parameter>
} & Record<string, unknown>

export type Parameter =
  | { type: 'integer'; min: number; max: number; default?: number }
  | { type: 'string'; enum: string[]; default?: string }
  | ParameterTable

/** Looked up by the value of another parameter, of type string. */
export type ParameterTable = {
  by: string
  values: Record<string, ParameterValue>
  default?: ParameterValue
}

export type ParameterValue = string | number

/** The rules for the response. A verification keeps them as they were when it was created. */
export type TemplateRules = {
  /** The vocabulary: each name with the places it is read from, in order of preference. Without it, names stay as issued. */
  claims?: Record<string, ClaimPlace[]>
  /** The requirements for a completed verification, by claim name. */
  must?: Record<string, Requirement>
  /** Claims that can be derived from others. The others are then neither stored nor returned. */
  derive?: Record<string, Derivation>
  /** The results, each true or false, that stay readable beside a sealed result. */
  clear_claims?: string[]
}

export type ClaimPlace = {
  /** The id of a credential of the query. */
  credential: string
  /** One of the paths that the query requests of it. */
  path: ClaimsPath
  /** `image`: the bytes of an mdoc as a data URL, the form in an SD-JWT VC. `date`: a date without the time that some issuers add. */
  as?: 'image' | 'date'
}

export type Requirement =
  | { equals: string | number | boolean }
  /** Of a list, one value suffices. */
  | { in: (string | number | boolean)[] }
  /** Inclusive, of numbers, or of dates as YYYY-MM-DD. At least one of the two. */
  | { min?: number | string; max?: number | string }
  | { not_empty: true }

export type Derivation = AgeDerivation | Comparison

/** True if at least this many years have passed since the date. */
export type AgeDerivation = { from: string; at_least_years: number }

/** True if the claim has the value that the merchant expects. */
export type Comparison = { from: string; matches: 'name' | 'date' | 'exact' }
