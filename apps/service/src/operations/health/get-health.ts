import { X509Certificate } from 'node:crypto'
import type { Health } from '@vidimus/contract'
import { readAuditQueue } from '../../audit/index.ts'
import { readWebhookQueue } from '../../deliveries/index.ts'
import { programVersion } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import {
  type LoopState,
  heartbeatInterval_ms,
  inspectDatabase,
  readClock,
  readDatabaseSize,
  readHeartbeatAge,
  readLoops,
} from '../../engine/db/index.ts'
import {
  type CertificateEnd,
  type TrustContext,
  expiryStage,
  isListEnding,
  listCertificateEnds,
  listTrustLists,
} from '../../trust/index.ts'
import { checkDisk, readDisks } from './check-disks.ts'
import { checkCapacity, checkPartitions, checkSpace } from './check-capacity.ts'
import { checkRegistrations, checkTrust } from './check-trust.ts'
import { checkWorker, maxLag_seconds } from './check-worker.ts'
import { type DoctorFinding, ok, warning, wrong } from './finding.ts'

type Ctx = Context & Pick<TrustContext, 'identity'>
type Status = DoctorFinding['status']

/** Certificates of tenants that are listed because they end soon, and findings. */
const maxListed = 100
const maxOverdue_seconds = 120

/** How long the ends of the tenants' certificates are kept: each of them is parsed. */
const endsTtl_ms = 60_000

/**
 * The state of the whole installation: what `vidimus doctor` checks of its database, without what only a person on the server can mend.
 * Everything is read for each call, except the certificates of tenants.
 */
export function openHealthReader(ctx: Ctx): () => Promise<Health> {
  let known: { ends: Promise<CertificateEnd[]>; at_ms: number } | undefined
  return async () => {
    if (known === undefined || performance.now() - known.at_ms > endsTtl_ms) {
      const ends = collectEnds(ctx)
      known = { ends, at_ms: performance.now() }
      // A failure is not kept: the next call tries again.
      ends.catch(() => (known = undefined))
    }
    return getHealth(ctx, await known.ends)
  }
}

async function getHealth(ctx: Ctx, ends: readonly CertificateEnd[]): Promise<Health> {
  const { db, config } = ctx
  const checked_at = await readClock(db)
  const now_ms = Date.parse(checked_at)
  const facts = await inspectDatabase(db)
  const space = await checkSpace(db)
  const capacity = checkCapacity(facts, config)
  const partitions = checkPartitions(facts)
  const disks = await readDisks(db, config)
  const certificates = await listCertificates(ctx, ends, now_ms)
  const loops = (await readLoops(db)).map(viewLoop)
  const worker_seconds = await readHeartbeatAge(db)
  const findings = [
    ...space,
    ...disks.map(checkDisk),
    ...(await checkWorker(db)),
    ...loops.map(checkLoop),
    ...(await checkTrust(db, config)),
    ...(await checkRegistrations(db)),
    ...certificates.map(checkCertificate),
    ...partitions,
    ...capacity,
  ]
  return {
    checked_at,
    version: programVersion(),
    attention: [
      ...findings.filter(({ status }) => status === 'wrong'),
      ...findings.filter(({ status }) => status === 'warning'),
    ].slice(0, maxListed),
    loops,
    ...(worker_seconds !== undefined && { worker_seconds: Math.max(0, worker_seconds) }),
    queues: [
      viewQueue('webhooks', await readWebhookQueue(ctx)),
      viewQueue('audit', await readAuditQueue(ctx)),
    ],
    trust_lists: (await listTrustLists(ctx)).map((list) => ({
      url: list.url,
      environment: list.environment,
      ...(list.refreshed_at !== null && { refreshed_at: list.refreshed_at }),
      ...(list.trusted_until !== null && { trusted_until: list.trusted_until }),
      anchors: list.anchors,
      status: isListEnding(list, now_ms) ? 'wrong' : list.stale ? 'warning' : 'ok',
    })),
    certificates,
    partitions: { days_ahead: facts.days_ahead ?? 0, status: worst(partitions) },
    database: {
      version: facts.version,
      size_bytes: await readDatabaseSize(db),
      writable: space.length === 0,
      connections: facts.connections_in_use,
      max_connections: facts.max_connections,
      status: worst([...space, ...capacity]),
    },
    disks,
  }
}

function viewLoop({ name, interval_seconds, succeeded_at, age_seconds }: LoopState): Health['loops'][number] {
  // The worker notes it with each heartbeat.
  const late_seconds = age_seconds - interval_seconds - heartbeatInterval_ms / 1000
  const status =
    late_seconds > maxOverdue_seconds ? 'wrong' : late_seconds > maxOverdue_seconds / 2 ? 'warning' : 'ok'
  return { name, interval_seconds, succeeded_at, age_seconds, status }
}

function checkLoop({ name, age_seconds, status }: Health['loops'][number]): DoctorFinding {
  if (status === 'ok') return ok('loops', name)
  const says = `The loop “${name}” last succeeded ${Math.round(age_seconds)} s ago.`
  const cure = 'Search the log of `vidimus work` for “background task failed”.'
  return status === 'wrong' ? wrong('loops', says, cure) : warning('loops', says, cure)
}

function viewQueue(
  name: 'webhooks' | 'audit',
  { waiting, lag_seconds }: { waiting: number; lag_seconds: number },
): Health['queues'][number] {
  const oldest_seconds = Math.max(0, lag_seconds)
  return { name, waiting, oldest_seconds, status: oldest_seconds > maxLag_seconds ? 'wrong' : 'ok' }
}

/** Of those that end first. */
async function collectEnds(ctx: Ctx): Promise<CertificateEnd[]> {
  let ends: CertificateEnd[] = []
  for await (const page of listCertificateEnds(ctx))
    ends = [...ends, ...page]
      .toSorted((one, other) => one.expires_at.localeCompare(other.expires_at))
      .slice(0, maxListed)
  return ends
}

/** That of the service, and those of tenants that end soon. */
async function listCertificates(
  ctx: Ctx,
  ends: readonly CertificateEnd[],
  now_ms: number,
): Promise<Health['certificates']> {
  const {
    x5c: [leaf = ''],
  } = await ctx.identity()
  const { subject, validToDate } = new X509Certificate(Buffer.from(leaf, 'base64'))
  const ends_at = validToDate.toISOString().replace('Z', '000Z')
  const own = viewCertificate({ owner: 'service', subject: subject.replaceAll('\n', ', '), ends_at }, now_ms)
  const ofTenants = ends.map(({ tenant_id, subject: name, expires_at }) =>
    viewCertificate({ owner: tenant_id, subject: name, ends_at: expires_at }, now_ms),
  )
  return [own, ...ofTenants.filter(({ status }) => status !== 'ok')]
}

function viewCertificate(
  certificate: { owner: string; subject: string; ends_at: string },
  now_ms: number,
): Health['certificates'][number] {
  const stage = expiryStage(certificate.ends_at, now_ms)
  const status: Status = stage === undefined ? 'ok' : stage.days > 1 ? 'warning' : 'wrong'
  return { ...certificate, status }
}

function checkCertificate({
  owner,
  subject,
  ends_at,
  status,
}: Health['certificates'][number]): DoctorFinding {
  const whose = owner === 'service' ? 'The access certificate' : `The access certificate of tenant ${owner}`
  if (status === 'ok') return ok('certificates', subject)
  const says = `${whose} (${subject}) ends at ${ends_at}.`
  const cure = 'Renew it: docs/operate/rotate.md. A tenant renews its own on its dashboard.'
  return status === 'wrong' ? wrong('certificates', says, cure) : warning('certificates', says, cure)
}

function worst(findings: readonly DoctorFinding[]): Status {
  const found = new Set(findings.map(({ status }) => status))
  return found.has('wrong') ? 'wrong' : found.has('warning') ? 'warning' : 'ok'
}
