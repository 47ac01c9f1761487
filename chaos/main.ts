import { parseArgs } from 'node:util'
import type { ChaosRun } from './run.ts'

/** `npm run chaos [-- name… --n N]`: the fault runs at full size, or at N. Prints one JSON line a run; fails when one found a loss. */
const runs: Record<string, () => Promise<ChaosRun>> = {
  create: async () => (await import('./create.ts')).createUnderKills,
  bodies: async () => (await import('./bodies.ts')).generatedRequests,
  'answer.erasure_race': async () => (await import('./answers.ts')).erasureRace,
  'answer.failpoints': async () => (await import('./failpoints.ts')).responseFailpoints,
  'answer.one_session': async () => (await import('./answers.ts')).simultaneousResponses,
  'answer.rubbish': async () => (await import('./answers.ts')).garbageResponses,
  'audit.proofs': async () => (await import('./audit-proofs.ts')).auditProofs,
  'audit.sequence': async () => (await import('./audit-sequence.ts')).auditSequence,
  'audit.sequence.planted': async () => (await import('./audit-sequence.ts')).auditSequenceWithInjectedFault,
  'audit.tamper.rows': async () => (await import('./audit-tamper.ts')).auditTamperRows,
  'audit.tamper.export': async () => (await import('./audit-tamper.ts')).auditTamperExport,
  'audit.tamper.export.planted': async () =>
    (await import('./audit-tamper.ts')).auditTamperExportWithInjectedFault,
  'create.equal_keys': async () => (await import('./races.ts')).sameIdempotencyKey,
  'create.last_unit': async () => (await import('./races.ts')).lastQuotaUnit,
  'create.whole_quota': async () => (await import('./races.ts')).wholeQuota,
  isolation: async () => (await import('./isolation.ts')).isolationMatrix,
  'isolation.predicates': async () => (await import('./isolation.ts')).removePredicates,
  'keys.timing': async () => (await import('./key-timing.ts')).keyTiming,
  'members.removal': async () => (await import('./member-removal.ts')).memberRemoval,
  'list.paging': async () => (await import('./races.ts')).pagingWhileCreating,
  'create.planted': async () => (await import('./create.ts')).createWithInjectedFault,
  'devices.enrol': async () => (await import('./devices.ts')).enrolRaces,
  'devices.enrol.planted': async () => (await import('./devices.ts')).enrolWithInjectedFault,
  'devices.refresh': async () => (await import('./devices.ts')).refreshRaces,
  'devices.refresh.planted': async () => (await import('./devices.ts')).refreshWithInjectedFault,
  'devices.revoke': async () => (await import('./devices.ts')).revokeRaces,
  'devices.revoke.planted': async () => (await import('./devices.ts')).revokeWithInjectedFault,
  'devices.replay': async () => (await import('./devices.ts')).replayedTokens,
  'devices.replay.planted': async () => (await import('./devices.ts')).replayWithInjectedFault,
  'devices.refused_tokens': async () => (await import('./refused-tokens.ts')).refusedTokens,
  redis: async () => (await import('./redis.ts')).redisKilled,
  'redis.planted': async () => (await import('./redis.ts')).redisKilledWithInjectedFault,
  noisy: async () => (await import('./noisy.ts')).noisyNeighbour,
  restart: async () => (await import('./restart.ts')).rollingRestart,
  'restart.planted': async () => (await import('./restart.ts')).rollingRestartWithInjectedFault,
  secrets: async () => (await import('./secrets.ts')).secretsInDump,
  'secrets.planted': async () => (await import('./secrets.ts')).secretsWithInjectedFault,
  webhooks: async () => (await import('./webhooks.ts')).deliverUnderKills,
  'webhooks.planted': async () => (await import('./webhooks.ts')).deliverWithInjectedFault,
  erasure: async () => (await import('./erasure.ts')).erasure,
  'erasure.planted': async () => (await import('./erasure.ts')).erasureWithInjectedFault,
  edges: async () => (await import('./edges.ts')).edgeOutages,
  'edges.planted': async () => (await import('./edges.ts')).edgeOutagesWithInjectedFault,
  egress: async () => (await import('./egress.ts')).privateAddresses,
  bombs: async () => (await import('./bombs.ts')).endlessResponses,
  mutations: async () => (await import('./mutations.ts')).mutateResponses,
  presentations: async () => (await import('./presentations.ts')).expensivePresentations,
  'sdk.refresh': async () => (await import('./sdk.ts')).refreshInterleavings,
  'sdk.refresh_planted': async () => (await import('./sdk.ts')).refreshWithInjectedFault,
  'sdk.webhook_mutations': async () => (await import('./sdk.ts')).webhookMutations,
  checks: async () => (await import('./checks.ts')).mutateVerifier,
}

const { values, positionals } = parseArgs({
  options: { n: { type: 'string' }, help: { type: 'boolean' } },
  allowPositionals: true,
})
if (values.help === true) {
  process.stdout.write(`npm run chaos [-- name… --n N]\n\n${Object.keys(runs).join('\n')}\n`)
  process.exit()
}
const chosen = positionals.length === 0 ? Object.keys(runs) : positionals
for (const name of chosen) {
  const load = runs[name]
  if (load === undefined) {
    process.stderr.write(`no fault run is called ${name}: ${Object.keys(runs).join(', ')}\n`)
    process.exitCode = 2
    continue
  }
  const run = await load()
  const report = await run(values.n === undefined ? {} : { n: Number(values.n) })
  process.stdout.write(`${JSON.stringify(report)}\n`)
  const { lost, duplicated, duplicates_allowed = 0, p99_ms = 0, p99_allowed_ms = 0 } = report
  if (lost > 0 || duplicated > duplicates_allowed || p99_ms > p99_allowed_ms) process.exitCode = 1
}
