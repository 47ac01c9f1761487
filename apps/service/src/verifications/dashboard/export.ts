import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExportVerifications } from '@vidimus/contract'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { type CsvCell, csvLine, streamCsv } from '../../engine/formats/index.ts'
import { type MemberPrincipal, dayOfVerificationId } from '../../engine/basics/index.ts'
import { openSlots, takeReadSlot } from '../../engine/scheduling/index.ts'
import { readByDay } from '../read/list-verifications.ts'
import { readVerifications, scanRows } from '../store.ts'
import { viewVerification } from '../view-verification.ts'
import { filterVerifications } from './list-filtered.ts'
import type { ListedVerificationRow } from './store.ts'

/** Verifications in one download, the newest. */
export const maxExported = 50_000
export const maxCsvDownloads = { each: 1, all: 5 }
/** Verifications that are read together: as many as a statement scans, but claims can contain portraits. */
const batch = { plain: scanRows, claims: 20 }

const columns = [
  'id',
  'status',
  'template',
  'error_code',
  'device_id',
  'created_at',
  'expires_at',
  'responded_at',
  'purpose',
  'metadata',
] as const satisfies (keyof ListedVerificationRow)[]

type ExportQuery = ExportVerifications & { withClaims: boolean }

/** Downloads verifications as CSV, newest first. Before claims an audit entry is written (AUD-1). */
export function openVerificationExporter(
  ctx: Context,
): (by: MemberPrincipal, query: ExportQuery) => Promise<Readable> {
  const slots = openSlots(maxCsvDownloads)
  return async (by, query) => {
    const release = takeReadSlot(slots, by.tenant_id, 'download')
    try {
      if (query.withClaims) await auditExport(ctx, by, query)
    } catch (error) {
      release()
      throw error
    }
    return streamCsv(writeLines(ctx, by, query), release)
  }
}

async function auditExport(
  { db }: Context,
  by: MemberPrincipal,
  { metadata, after, before, status, template, error_code, device_id }: ExportVerifications,
): Promise<void> {
  const given_filters = { after, before, status, template, error_code, device_id }
  // Not which: what metadata says would outlive the verification here.
  const detail = {
    environment: by.environment,
    ...given_filters,
    metadata: metadata === undefined ? undefined : true,
  }
  const given = Object.fromEntries(Object.entries(detail).filter(([, value]) => value !== undefined))
  await db.transaction((tx) => appendAudit(tx, { action: 'verification.claims_exported', by, detail: given }))
}

/** Every page is a statement of its own: nothing stays open while a slow client reads. */
async function* writeLines(
  ctx: Context,
  by: MemberPrincipal,
  { withClaims, ...filter }: ExportQuery,
): AsyncGenerator<string> {
  yield csvLine(withClaims ? [...columns, 'claims'] : columns)
  const limit = withClaims ? batch.claims : batch.plain
  let { before } = filter
  let written = 0
  do {
    const page = await filterVerifications(ctx.db, by, { ...filter, before, limit })
    const claims = withClaims ? await readClaims(ctx, by, page.rows) : undefined
    // The turn that received the rows has done enough.
    await nextTurn()
    for (const [index, row] of page.rows.entries())
      yield csvLine([...toCells(row), ...(claims === undefined ? [] : [claims[index]])])
    written += page.rows.length
    before = page.next_before
  } while (before !== undefined && written < maxExported)
  // A file that ends early must not look complete.
  if (before !== undefined)
    yield csvLine([
      `Only the newest ${maxExported} verifications are included. Export the rest with an earlier date.`,
    ])
}

function toCells(row: ListedVerificationRow): CsvCell[] {
  const { metadata, ...others } = row
  const cells = { ...others, metadata: metadata && JSON.stringify(metadata) }
  return columns.map((column) => cells[column] ?? undefined)
}

/** As every read shows them: only those of completed verifications, and only while they are kept. */
async function readClaims(
  ctx: Context,
  { tenant_id, environment }: MemberPrincipal,
  rows: readonly ListedVerificationRow[],
): Promise<CsvCell[]> {
  const keys = rows.map(({ id }) => ({
    day: dayOfVerificationId(id) ?? '',
    id,
    tenant_id,
    environment,
    device_id: null,
  }))
  const verifications = await readByDay(keys, (group, onDay) => readVerifications(ctx.db, group, onDay))
  return verifications.map((verification) => {
    const claims = verification && viewVerification(ctx, verification).claims
    return claims && JSON.stringify(claims)
  })
}
