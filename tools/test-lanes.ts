/** What `npm test` and the landing check (`.ci/run`) leave to `npm run test:slow`, which is a part of `npm run test:all`. */
export const slowTests = [
  // Short forms of the chaos runs, the documents' commands, and what is shipped.
  'chaos/**/*.test.ts',
  'examples/**/*.test.ts',
  'packages/sdk/test/package.test.ts',
  'tools/chart/pods.test.ts',
  'tools/documents/{blocks,install}.test.ts',
  'tools/documents/incidents/incidents.test.ts',
  'tools/program-package/package.test.ts',
  // Other programs: proxies, Prometheus, PgBouncer, SoftHSM, wallets of others.
  'apps/service/test/outside/**/*.test.ts',
  'apps/service/src/engine/db/connection/pgbouncer.test.ts',
  'apps/service/src/program/commands/master-key-drills.test.ts',
  'apps/service/src/trust/identity/hsm-identity.test.ts',
  'packages/wallets/src/*.test.ts',
  // Whole matrices and large inputs, of which the other lane has a part.
  'apps/service/src/trust/lists/real-size.test.ts',
  'apps/service/src/verifications/wallet/channel-faults.test.ts',
  'bench/growth/fill.test.ts',
  'packages/protocol/src/crypto/ecdsa-signature.test.ts',
  'packages/protocol/src/mutations.test.ts',
  // Drills, and time limits that a busy machine exceeds.
  'apps/service/src/deliveries/webhooks/deliver/deliver-timing.test.ts',
  'apps/service/src/engine/db/connection/pool.test.ts',
  'apps/service/src/engine/limits/limiter.test.ts',
  'apps/service/src/engine/observability/tracing/collector-faults.test.ts',
  'apps/service/src/operations/restore/crashes.test.ts',
  'apps/service/src/operations/tenant-moves/move.test.ts',
  'apps/service/src/program/commands/audit/rotate-key-drill.test.ts',
  'apps/service/src/program/commands/rotation-drills.test.ts',
  'apps/service/src/program/commands/run/until-shutdown.test.ts',
  'apps/service/src/verifications/wallet/costly-responses.test.ts',
]
