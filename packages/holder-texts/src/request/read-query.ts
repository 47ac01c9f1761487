/** A requested credential, as far as it can be read. */
export type RequestedCredential = {
  id: string
  format: unknown
  types: string[]
  /** The paths of each claim set; one set with all paths if there are none. The wallet discloses one of the sets. */
  claim_sets: Path[][]
}

export type Path = readonly (string | number | null)[]

/** Credentials that are requested together, in one of several combinations. */
export type RequestedSet = { options: RequestedCredential[][]; optional: boolean }

/**
 * Reads what a query requests (OpenID4VP 1.0 §6). The query need not be valid, because a merchant may send any objects;
 * parts that cannot be read are requests that no wallet can answer, and are left out.
 */
export function readQuery(query: unknown): RequestedSet[] {
  const credentials = readList(query, 'credentials').map(readCredential)
  const sets = readList(query, 'credential_sets').map((set) => readSet(set, credentials))
  const listed = new Set(sets.flatMap(({ options }) => options.flat()))
  // Without sets, every credential is required. Beside sets, others are not required, but a wallet reads them too.
  const single = credentials.filter((credential) => !listed.has(credential))
  return [
    ...sets.filter(({ options }) => options.length > 0),
    ...single.map((credential) => ({ options: [[credential]], optional: sets.length > 0 })),
  ]
}

function readCredential(credential: unknown): RequestedCredential {
  const { id, format, meta } = asObject(credential)
  const { doctype_value } = asObject(meta)
  const claims = readList(credential, 'claims').map(asObject)
  const all = claims.flatMap(({ path }) => readPath(path))
  const sets = readList(credential, 'claim_sets').filter((set) => Array.isArray(set))
  return {
    id: typeof id === 'string' ? id : '',
    format,
    types: [doctype_value, ...readList(meta, 'vct_values')].filter((type) => typeof type === 'string'),
    claim_sets:
      sets.length === 0
        ? [all]
        : sets.map((set) =>
            claims.filter((claim) => set.includes(claim['id'])).flatMap(({ path }) => readPath(path)),
          ),
  }
}

function readSet(set: unknown, credentials: RequestedCredential[]): RequestedSet {
  const options = readList(set, 'options').flatMap((ids) => {
    const option = Array.isArray(ids) ? ids.map((id) => credentials.find((one) => one.id === id)) : []
    const found = option.filter((credential) => credential !== undefined)
    return found.length === 0 || found.length < option.length ? [] : [found]
  })
  return { options, optional: asObject(set)['required'] === false }
}

function readPath(path: unknown): Path[] {
  if (!Array.isArray(path) || path.length === 0) return []
  return [path.filter((part) => part === null || typeof part === 'string' || typeof part === 'number')]
}

export function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

export function readList(value: unknown, name: string): unknown[] {
  const list = asObject(value)[name]
  return Array.isArray(list) ? list : []
}
