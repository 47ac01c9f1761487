import { parseArgs } from 'node:util'
import type { Chaos } from './run.ts'

/** `npm run chaos [-- name… --n N]`: the fault runs at full size, or at N. Prints one JSON line a run; fails when one found a loss. */
const runs: Record<string, () => Promise<Chaos>> = {
  create: async () => (await import('./create.ts')).createUnderKills,
  bodies: async () => (await import('./bodies.ts')).bodies,
  'answer.erasure_race': async () => (await import('./answers.ts')).erasureRace,
  'answer.failpoints': async () => (await import('./failpoints.ts')).answerFailpoints,
  'answer.one_session': async () => (await import('./answers.ts')).oneSession,
  'answer.rubbish': async () => (await import('./answers.ts')).rubbish,
  'audit.proofs': async () => (await import('./audit-proofs.ts')).auditProofs,
  'audit.sequence': async () => (await import('./audit-sequence.ts')).auditSequence,
  'audit.sequence.planted': async () => (await import('./audit-sequence.ts')).auditSequenceWithPlantedFault,
  'audit.tamper.rows': async () => (await import('./audit-tamper.ts')).auditTamperRows,
  'audit.tamper.export': async () => (await import('./audit-tamper.ts')).auditTamperExport,
  'audit.tamper.export.planted': async () => (await import('./audit-tamper.ts')).auditTamperExportUnkept,
  'create.equal_keys': async () => (await import('./races.ts')).equalKeys,
  'create.last_unit': async () => (await import('./races.ts')).lastUnit,
  'create.whole_quota': async () => (await import('./races.ts')).wholeQuota,
  isolation: async () => (await import('./isolation.ts')).isolation,
  'isolation.predicates': async () => (await import('./isolation.ts')).predicates,
  'keys.timing': async () => (await import('./key-timing.ts')).keyTiming,
  'members.removal': async () => (await import('./member-removal.ts')).memberRemoval,
  'list.paging': async () => (await import('./races.ts')).paging,
  'create.planted': async () => (await import('./create.ts')).createWithPlantedFault,
  'devices.enrol': async () => (await import('./devices.ts')).enrol,
  'devices.enrol.planted': async () => (await import('./devices.ts')).enrolWithPlantedFault,
  'devices.refresh': async () => (await import('./devices.ts')).refresh,
  'devices.refresh.planted': async () => (await import('./devices.ts')).refreshWithPlantedFault,
  'devices.revoke': async () => (await import('./devices.ts')).revoke,
  'devices.revoke.planted': async () => (await import('./devices.ts')).revokeWithPlantedFault,
  'devices.replay': async () => (await import('./devices.ts')).replay,
  'devices.replay.planted': async () => (await import('./devices.ts')).replayWithPlantedFault,
  'devices.refused_tokens': async () => (await import('./refused-tokens.ts')).refusedTokens,
  redis: async () => (await import('./redis.ts')).redisKilled,
  'redis.planted': async () => (await import('./redis.ts')).redisKilledWithPlantedFault,
  noisy: async () => (await import('./noisy.ts')).noisy,
  restart: async () => (await import('./restart.ts')).rollingRestart,
  'restart.planted': async () => (await import('./restart.ts')).rollingRestartWithPlantedFault,
  secrets: async () => (await import('./secrets.ts')).secrets,
  'secrets.planted': async () => (await import('./secrets.ts')).secretsWithPlantedFault,
  webhooks: async () => (await import('./webhooks.ts')).webhooks,
  'webhooks.planted': async () => (await import('./webhooks.ts')).webhooksWithPlantedFault,
  erasure: async () => (await import('./erasure.ts')).erasure,
  'erasure.planted': async () => (await import('./erasure.ts')).erasureOmitted,
  edges: async () => (await import('./edges.ts')).edges,
  'edges.planted': async () => (await import('./edges.ts')).edgesWithPlantedFault,
  egress: async () => (await import('./egress.ts')).egress,
  bombs: async () => (await import('./bombs.ts')).bombs,
  mutations: async () => (await import('./mutations.ts')).mutations,
  presentations: async () => (await import('./presentations.ts')).presentations,
  'sdk.refresh': async () => (await import('./sdk.ts')).refreshes,
  'sdk.refresh_planted': async () => (await import('./sdk.ts')).refreshesWithoutWriteAhead,
  'sdk.webhook_mutations': async () => (await import('./sdk.ts')).webhookMutations,
  checks: async () => (await import('./checks.ts')).checks,
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
  const ledger = await run(values.n === undefined ? {} : { n: Number(values.n) })
  process.stdout.write(`${JSON.stringify(ledger)}\n`)
  const { lost, duplicated, duplicates_allowed = 0, p99_ms = 0, p99_allowed_ms = 0 } = ledger
  if (lost > 0 || duplicated > duplicates_allowed || p99_ms > p99_allowed_ms) process.exitCode = 1
}
