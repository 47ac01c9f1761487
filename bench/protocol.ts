import { readBoundTemplates } from '../apps/service/test/bound-templates.ts'
import { isCredentialQuery } from '../packages/protocol/src/dcql/check/check-credential.ts'
import { filterClaims } from '../packages/protocol/src/dcql/match/filter-claims.ts'
import { matchCredential } from '../packages/protocol/src/dcql/match/match-credential.ts'
import type { JsonObject } from '../packages/protocol/src/json.ts'
import { makePresentedCredential } from '../packages/protocol/test/presented-credential.ts'
import { summarize, type Bench } from './figure.ts'
import { mdoc, sdJwt } from './verification.ts'

const rounds = 5
const round_ms = 500

/** Matches a full PID against the largest built-in query (22 claims in five claim sets, of which only the last matches) and selects the claims to keep. */
const dcql: Bench = async () => {
  const query = readBoundTemplates().get('pid_full')?.query.credentials[0]
  if (!isCredentialQuery(query)) throw new Error('pid_full has no credential query')
  const credential = makePresentedCredential({ claims })
  const matchOnce = () => {
    const { findings, paths } = matchCredential(query, credential)
    if (findings.length > 0) throw new Error('the PID does not satisfy the query')
    filterClaims(credential.claims, paths)
  }
  const rates = Array.from({ length: rounds }, () => rate(matchOnce))
  return [summarize('protocol.dcql', '1/s', rates)]
}

export const benches: Record<string, Bench> = {
  'protocol.dcql': dcql,
  'protocol.sd_jwt': sdJwt,
  'protocol.mdoc': mdoc,
}

const claims: JsonObject = {
  family_name: 'Mustermann',
  given_name: 'Erika',
  birthdate: '1984-01-26',
  place_of_birth: { locality: 'Berlin', country: 'DE' },
  nationalities: ['DE'],
  issuing_authority: 'DE',
  issuing_country: 'DE',
  iss: 'https://pid.example',
  vct: 'urn:eudi:pid:1',
}

/** Calls per second of this process's CPU time, so that other load on the machine does not count. */
function rate(call: () => void): number {
  const started = process.cpuUsage()
  let calls = 0
  for (;;) {
    for (let turn = 0; turn < 100; turn += 1) call()
    calls += 100
    const { user, system } = process.cpuUsage(started)
    if (user + system >= round_ms * 1000) return (calls / (user + system)) * 1_000_000
  }
}
