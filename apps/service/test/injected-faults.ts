import type { InjectedFault } from './processes/inject-faults.ts'

const kill = "process.kill(process.pid, 'SIGKILL'); await new Promise(() => {});"
const unhandled = "; setTimeout(() => { Promise.reject(new Error('nobody handles this')) }, 500)"

const acceptResponse = 'verifications/wallet/accept-response.ts'
const appendToLedger = {
  file: 'engine/ledger/files/open-folder.ts',
  find: 'await orRefuse(file.append(lines))',
}
const devices = 'devices/store.ts'

/**
 * Every fault that a run or a test injects into the source of the service, to show that it is noticed. A change of the source that
 * leaves one without its text fails in `injected-faults.test.ts`, not only in the run.
 */
export const sourceFaults = {
  // A process is killed while it accepts a wallet's response.
  killedBeforeReading: killBefore(
    'verifications/wallet-routes.ts',
    'const verification = await findOpenVerification',
  ),
  killedBeforeVerifying: killBefore(acceptResponse, 'const verified = await verifyResponse('),
  killedBeforeCode: killBefore(acceptResponse, 'const code = redirect_url'),
  killedBeforeRecording: killBefore(acceptResponse, 'const recorded = await recordResponse('),
  killedWhileRecording: before(
    acceptResponse,
    'const recorded = await recordResponse(',
    `setTimeout(() => { ${kill.split(';')[0]} }, 1)`,
  ),
  killedBeforeReply: killBefore(acceptResponse, 'if (!recorded) return refuseLate'),

  // A process is killed while it erases a verification or rewraps the key ring.
  killedBeforeLedger: [{ ...appendToLedger, replacement: kill }],
  killedAfterLedger: after(appendToLedger.file, appendToLedger.find, `; ${kill}`),
  killedBeforeCommit: [
    {
      file: 'engine/db/open.ts',
      find: "outcome = 'unknown'\n",
      replacement: `outcome = 'unknown'; if (limits?.lock_ms === 10_500) { ${kill} }\n`,
    },
  ],
  killedBeforeConfirmation: before(
    'engine/ledger/files/lines.ts',
    'const written = positions.filter',
    `if (outcome === 'committed') { ${kill} }`,
  ),
  killedWhileRewrapping: [
    {
      file: 'engine/keyring/rewrap.ts',
      find: 'for (const row of rows) await insertKey(tx, row)',
      replacement: `for (const row of rows) { await insertKey(tx, row); ${kill} }`,
    },
  ],

  /** A response that came too late is treated as the first. */
  lateResponseAccepted: [
    {
      file: acceptResponse,
      find: 'if (!recorded) return refuseLateResponse(ctx, verification.id)',
      replacement: '',
    },
  ],
  /** Usage is counted after the transaction. The delay lets even a run with few kills notice it. */
  countedOutsideTransaction: before(
    'verifications/create/store.ts',
    'return rows.toSorted((a, b) => a.place - b.place)',
    `await db.execute(sql\`select pg_sleep(0.05)\`)
    for (const { place, outcome } of rows) {
      if (outcome === 'created') await db.execute(sql\`update tenant_usage set used = used + 1 where tenant_id = \${creations[place]?.tenant_id}\`)
    }`,
  ),
  /** Every owner may start work at any time. */
  noTurns: after(
    'engine/scheduling/scheduler.ts',
    'function canStart(owner: Owner): boolean {',
    ' return true',
  ),
  /** Entries leave the inbox in a transaction of their own, before they are chained. */
  dequeuedBeforeChaining: [
    {
      file: 'audit/chain/sequence.ts',
      find: 'await takeFromInbox(tx, locked, maxBatch)',
      replacement: `await db.transaction((apart) => takeFromInbox(apart, locked, maxBatch))
      await new Promise((resolve) => setTimeout(resolve, 1000))`,
    },
  ],
  /** A tenant that moves is not made read-only before its rows are copied. */
  movedWithoutFreezing: [
    { file: 'operations/tenant-moves/move.ts', find: 'await freeze(source', replacement: 'void (source' },
  ],
  /** Events for an endpoint are signed with the tenant's secret. */
  signedWithTenantSecret: [
    {
      file: 'deliveries/webhooks/deliver/verification-locks.ts',
      find: 'unsealSecrets(ctx.keyring, locked)',
      replacement: "readSigningSecrets(ctx, locked.map((event) => ({ ...event, endpoint_id: '' })))",
    },
  ],
  webhookMarkedBeforeSending: before(
    'deliveries/webhooks/deliver/senders.ts',
    'const result = await attemptDelivery(',
    `await record(event, { outcome: 'responded', status: 200, headers: {}, body: Buffer.alloc(0), complete: true, duration_ms: 0 })`,
  ),
  mailMarkedBeforeSending: before(
    'deliveries/mail/send.ts',
    'const result = await trySend(ctx, mail)',
    `await recordMail(ctx.db, { id: mail.verification_id, state: 'sent', failure: null })`,
  ),

  /** A claim does not check whether the pairing code was claimed before. */
  pairedTwice: [
    {
      file: devices,
      find: "where pairing_hash = ${pairingHash} and status = 'pending'",
      replacement: 'where pairing_hash = ${pairingHash}',
    },
  ],
  /** A refresh token of any generation is accepted. */
  anyGeneration: [
    {
      file: devices,
      find: 'and (generation = ${generation} or (accepts_later_generation and generation < ${generation}))',
      replacement: '',
    },
  ],
  /** A refresh does not check that the device is active, and activates it again. */
  revokedDeviceRefreshed: [
    {
      file: devices,
      find: 'set generation = ${generation}::integer + 1,',
      replacement: "set generation = ${generation}::integer + 1, status = 'active',",
    },
    {
      file: devices,
      find: "where id = ${device_id} and status = 'active'\n      and (generation",
      replacement: 'where id = ${device_id}\n      and (generation',
    },
  ],
  /** Only the previous token counts as spent. */
  oldReplayIgnored: [
    {
      file: devices,
      find: 'and generation > ${generation}',
      replacement: 'and generation = ${generation} + 1',
    },
  ],

  /** A lost connection to the database is taken for a fault of the service. */
  lostConnectionInternal: [
    {
      file: 'engine/db/failures.ts',
      find: 'return timedOut(error) || serverUnavailable(error) || connectionLost(error)',
      replacement: 'return timedOut(error)',
    },
  ],
  /** The ledger is written a minute after the commit. */
  lateLedger: [
    {
      ...appendToLedger,
      replacement: 'setTimeout(() => void file.append(lines).catch(() => {}), 60_000).unref()',
    },
  ],
  /** The database is compared with the ledger at the start only, and not when a connection is replaced. */
  comparedAtStart: [
    {
      file: 'engine/ledger/files/guard.ts',
      find: 'db.checkConnections(check)\n',
      replacement: 'check(db).catch(() => {})\n',
    },
    { file: 'engine/ledger/files/guard.ts', find: '() => check(db),\n', replacement: 'async () => {},\n' },
  ],
  /** A process that stops closes connections in use at once. */
  closedAtOnce: before(
    'engine/http/server/drain.ts',
    'await sleep(accept_ms)',
    'app.server.closeAllConnections()',
  ),
  failsWithoutRedis: [
    {
      file: 'engine/limits/limiter.ts',
      find: 'if (!isUnavailable) setUnavailable(true, error)',
      replacement: 'throw error',
    },
  ],
  /** A statement without a response is waited for without end. */
  noClientTimeout: [
    {
      file: 'engine/db/connection/query-with-timeout.ts',
      find: '(last = setImmediate(giveUp))',
      replacement: 'last',
    },
  ],

  /** Loops may be late by a second instead of two minutes. */
  impatient: [
    {
      file: 'engine/observability/loop-progress.ts',
      find: 'maxOverdue_seconds = 120',
      replacement: 'maxOverdue_seconds = 1',
    },
  ],
  /** A promise is rejected and nobody handles it: twice in `serve`, once in `work`. */
  unhandledRejection: [
    ...after('program/serve.ts', "'serving')", unhandled + unhandled),
    ...after(
      'program/commands/run/work.ts',
      "process.stdout.write('Vidimus worker is running.\\n')",
      unhandled,
    ),
  ],
  /** Loses the response to a request with one of these headers once, after everything was committed: with its process, or only with its connection. */
  responseLost: before(
    'engine/http/server/server.ts',
    'if (http.draining()) reply.header',
    `const folder = request.headers['x-lose-process'] ?? request.headers['x-lose-connection']
    if (typeof folder === 'string') {
      try {
        process.getBuiltinModule('node:fs').mkdirSync(folder)
        if ('x-lose-process' in request.headers) process.kill(process.pid, 'SIGKILL')
        return void request.raw.socket.destroy()
      } catch {}
    }`,
  ),
} satisfies Record<string, readonly InjectedFault[]>

function before(file: string, find: string, statement: string): InjectedFault[] {
  return [{ file, find, replacement: `${statement}\n${find}` }]
}

function after(file: string, find: string, text: string): InjectedFault[] {
  return [{ file, find, replacement: `${find}${text}` }]
}

function killBefore(file: string, find: string): InjectedFault[] {
  return before(file, find, "process.kill(process.pid, 'SIGKILL')")
}
