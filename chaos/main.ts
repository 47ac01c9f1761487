import { parseArgs } from 'node:util'
import type { ChaosRun } from './chaos-run.ts'
import { clusterRuns } from './cluster/list-runs.ts'
import { saveResult } from './report/save-result.ts'

/** `npm run chaos [-- name… --n N --report]`: the chaos runs at full size, or at size N. Prints one JSON line per run and fails if any run found a violation. With `--plant`, a run has its injected fault. */
const runs: Record<string, () => Promise<ChaosRun>> = {
  create: async () => (await import('./verifications/create-under-kills.ts')).createUnderKills,
  bodies: async () => (await import('./verifications/request-bodies.ts')).generatedRequests,
  alerts: async () => (await import('./alerts/announce-under-kills.ts')).announceUnderKills,
  'alerts.injected': async () => (await import('./alerts/announce-under-kills.ts')).announceWithInjectedFault,
  'response.channels': async () => (await import('./verifications/channel-races.ts')).channelRace,
  'response.channels.injected': async () =>
    (await import('./verifications/channel-races.ts')).channelRaceWithInjectedFault,
  'response.erasure_race': async () => (await import('./verifications/response-races.ts')).erasureRace,
  'response.failpoints': async () =>
    (await import('./verifications/response-failpoints.ts')).responseFailpoints,
  'response.one_verification': async () =>
    (await import('./verifications/response-races.ts')).simultaneousResponses,
  'response.rubbish': async () => (await import('./verifications/response-races.ts')).garbageResponses,
  'audit.after_crash': async () => (await import('./audit/verify-after-crash.ts')).verifyAfterCrash,
  'audit.after_crash.injected': async () =>
    (await import('./audit/verify-after-crash.ts')).verifyAfterCrashWithInjectedFault,
  'audit.proofs': async () => (await import('./audit/proofs.ts')).auditProofs,
  'audit.receipts': async () => (await import('./sealing/receipts-offline.ts')).auditReceipts,
  'audit.receipts.injected': async () =>
    (await import('./sealing/receipts-offline.ts')).auditReceiptsWithInjectedFault,
  'audit.sequence': async () => (await import('./audit/sequence.ts')).auditSequence,
  'audit.sequence.injected': async () => (await import('./audit/sequence.ts')).auditSequenceWithInjectedFault,
  'audit.tamper.rows': async () => (await import('./audit/tamper.ts')).auditTamperRows,
  'audit.tamper.export': async () => (await import('./audit/tamper.ts')).auditTamperExport,
  'audit.tamper.export.injected': async () =>
    (await import('./audit/tamper.ts')).auditTamperExportWithInjectedFault,
  'create.equal_keys': async () => (await import('./verifications/creation-races.ts')).sameIdempotencyKey,
  'create.last_unit': async () => (await import('./verifications/creation-races.ts')).lastQuotaUnit,
  'create.whole_quota': async () => (await import('./verifications/creation-races.ts')).wholeQuota,
  isolation: async () => (await import('./isolation/isolation.ts')).isolationMatrix,
  'isolation.predicates': async () => (await import('./isolation/isolation.ts')).removePredicates,
  'keys.timing': async () => (await import('./credentials/key-timing.ts')).keyTiming,
  'members.removal': async () => (await import('./credentials/member-removal.ts')).memberRemoval,
  'list.paging': async () => (await import('./verifications/creation-races.ts')).pagingWhileCreating,
  'create.injected': async () =>
    (await import('./verifications/create-under-kills.ts')).createWithInjectedFault,
  'devices.enrol': async () => (await import('./credentials/device-races.ts')).enrolRaces,
  'devices.enrol.injected': async () =>
    (await import('./credentials/device-races.ts')).enrolWithInjectedFault,
  'devices.refresh': async () => (await import('./credentials/device-races.ts')).refreshRaces,
  'devices.refresh.injected': async () =>
    (await import('./credentials/device-races.ts')).refreshWithInjectedFault,
  'devices.revoke': async () => (await import('./credentials/device-races.ts')).revokeRaces,
  'devices.revoke.injected': async () =>
    (await import('./credentials/device-races.ts')).revokeWithInjectedFault,
  'devices.replay': async () => (await import('./credentials/device-races.ts')).replayedTokens,
  'devices.replay.injected': async () =>
    (await import('./credentials/device-races.ts')).replayWithInjectedFault,
  'devices.refused_tokens': async () => (await import('./credentials/refused-tokens.ts')).refusedTokens,
  redis: async () => (await import('./outages/redis-killed.ts')).redisKilled,
  'redis.injected': async () => (await import('./outages/redis-killed.ts')).redisKilledWithInjectedFault,
  noisy: async () => (await import('./noisy-neighbour/noisy.ts')).noisyNeighbour,
  upgrade: async () => (await import('./upgrade/upgrade.ts')).upgradeUnderLoad,
  'upgrade.injected': async () => (await import('./upgrade/upgrade.ts')).upgradeWithInjectedFault,
  restart: async () => (await import('./outages/rolling-restart.ts')).rollingRestart,
  'restart.injected': async () =>
    (await import('./outages/rolling-restart.ts')).rollingRestartWithInjectedFault,
  'verifications.sealed': async () => (await import('./sealing/sealed-canaries.ts')).sealedCanaries,
  'verifications.sealed.injected': async () =>
    (await import('./sealing/sealed-canaries.ts')).sealedCanariesWithInjectedFault,
  secrets: async () => (await import('./credentials/secrets-in-dump.ts')).secretsInDump,
  'secrets.injected': async () => (await import('./credentials/secrets-in-dump.ts')).secretsWithInjectedFault,
  webhooks: async () => (await import('./webhooks/deliver-under-kills.ts')).deliverUnderKills,
  'webhooks.injected': async () =>
    (await import('./webhooks/deliver-under-kills.ts')).deliverWithInjectedFault,
  'webhooks.injected.secret': async () =>
    (await import('./webhooks/deliver-under-kills.ts')).deliverWithWrongSecret,
  erasure: async () => (await import('./verifications/erasure.ts')).erasure,
  'erasure.injected': async () => (await import('./verifications/erasure.ts')).erasureWithInjectedFault,
  edges: async () => (await import('./outages/edges.ts')).edgeOutages,
  'edges.injected': async () => (await import('./outages/edges.ts')).edgeOutagesWithInjectedFault,
  egress: async () => (await import('./egress/private-addresses.ts')).privateAddresses,
  bombs: async () => (await import('./egress/endless-responses.ts')).endlessResponses,
  mutations: async () => (await import('./protocol/mutate-responses.ts')).mutateResponses,
  'mutations.channels': async () => (await import('./protocol/mutate-responses.ts')).mutateChannelResponses,
  'mutations.channels.injected': async () =>
    (await import('./protocol/mutate-responses.ts')).mutateChannelResponsesWithInjectedFault,
  presentations: async () => (await import('./protocol/expensive-presentations.ts')).expensivePresentations,
  'sdk.refresh': async () => (await import('./protocol/sdk.ts')).refreshInterleavings,
  'sdk.refresh.injected': async () => (await import('./protocol/sdk.ts')).refreshWithInjectedFault,
  'sdk.webhook_mutations': async () => (await import('./protocol/sdk.ts')).webhookMutations,
  checks: async () => (await import('./protocol/mutate-verifier.ts')).mutateVerifier,
  ...clusterRuns,
  'cluster.async_failover': async () => (await import('./cluster/async-failover.ts')).asyncFailover,
  'cluster.async_failover.late.injected': async () =>
    (await import('./cluster/async-failover.ts')).asyncFailoverWithLateLedger,
  'cluster.async_failover.start.injected': async () =>
    (await import('./cluster/async-failover.ts')).asyncFailoverComparedAtStart,
  'cells.move': async () => (await import('./cells/move-under-load.ts')).moveUnderLoad,
  'cells.move.injected': async () => (await import('./cells/move-under-load.ts')).moveWithInjectedFault,
  'cells.move.many': async () => (await import('./cells/move-many.ts')).moveMany,
  'cells.routing': async () => (await import('./cells/route-many.ts')).routeMany,
  'cells.one_down': async () => (await import('./cells/one-cell-down.ts')).oneCellDown,
  'cells.throughput': async () => (await import('./cells/throughput.ts')).cellThroughput,
  'cells.routing.injected': async () => (await import('./cells/route-many.ts')).routeManyWithoutRule,
  'restore.point_in_time': async () => (await import('./cluster/restore/restore-drill.ts')).restoreToTimes,
  'restore.injected': async () => (await import('./cluster/restore/restore-drill.ts')).restoreWithoutLedger,
}

const { values, positionals } = parseArgs({
  options: {
    n: { type: 'string' },
    report: { type: 'boolean' },
    plant: { type: 'boolean' },
    help: { type: 'boolean' },
  },
  allowPositionals: true,
})
if (values.help === true) {
  process.stdout.write(`npm run chaos [-- name… --n N --report --plant]\n\n${Object.keys(runs).join('\n')}\n`)
  process.exit()
}
const chosen = (positionals.length === 0 ? Object.keys(runs) : positionals).map((name) =>
  values.plant === true && runs[`${name}.injected`] !== undefined ? `${name}.injected` : name,
)
for (const name of chosen) {
  const load = runs[name]
  if (load === undefined) {
    process.stderr.write(`There is no chaos run ${name}. Available: ${Object.keys(runs).join(', ')}\n`)
    process.exitCode = 2
    continue
  }
  const run = await load()
  const report = await run(values.n === undefined ? {} : { n: Number(values.n) })
  process.stdout.write(`${JSON.stringify(report)}\n`)
  if (values.report === true) saveResult(report)
  const { lost, duplicated, duplicates_allowed = 0, p99_ms = 0, p99_allowed_ms = 0 } = report
  if (lost > 0 || duplicated > duplicates_allowed || p99_ms > p99_allowed_ms) process.exitCode = 1
}
