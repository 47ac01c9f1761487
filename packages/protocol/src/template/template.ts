import type { AnyQuery, ClaimsPath } from '../dcql/query.ts'

/** TPL-1. A query, and what the merchant gets to see of the answer. */
export type Template = TemplateRules & {
  name: string
  description: string
  query: AnyQuery
  /** Where the names of types and claims come from. */
  sources?: string[]
}

/** What applies to the answer. A session keeps it as it was when it was created. */
export type TemplateRules = {
  /** The vocabulary: each name with the places it is taken from, the preferred one first. Without it names stay as issued. */
  claims?: Record<string, ClaimPlace[]>
  /** What has to hold for the verification to be completed, by name. */
  must?: Record<string, Requirement>
  /** Names that can be worked out from others. Those others are then neither stored nor shown. */
  derive?: Record<string, Derivation>
}

export type ClaimPlace = {
  /** The id of a credential of the query. */
  credential: string
  /** One of the paths that the query asks it for. */
  path: ClaimsPath
  /** `image`: an mdoc's bytes as a data URL, as an SD-JWT VC has it. `date`: a date without the time that some issuers add. */
  as?: 'image' | 'date'
}

export type Requirement = { equals: string | number | boolean } | { not_empty: true }

/** True when at least so many years have passed since the date. */
export type Derivation = { from: string; at_least_years: number }
