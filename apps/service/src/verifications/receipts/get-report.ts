import { randomInt } from 'node:crypto'
import {
  type Environment,
  type Receipt,
  type Report,
  type ReportPeriod,
  maxReportChanges,
  maxReportDays,
  reportSample,
} from '@vidimus/contract'
import { listAudit } from '../../audit/index.ts'
import { Refusal, newVerificationId } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { readToday } from '../store.ts'
import { addProof } from './get-receipt.ts'
import { countByVersion, readReceiptPage } from './store.ts'

const day_ms = 86_400_000
const defaultDays = 30
/** What changes how verifications are decided. */
const reported = /^(?:template|tenant[.](?:policies|trust|identity)|registration|sealing_key)/
/** Pages of the audit log that are searched for changes: 20,000 entries each. */
const maxPages = 20
/** Days that are tried for the sample. */
const maxTries = 20

type InEnvironment = { tenant_id: string; environment: Environment }

/** What an inspector asks of a period: how many ended how under which version, what was changed, and some receipts to look at. */
export async function getReport(ctx: Context, of: InEnvironment, asked: ReportPeriod): Promise<Report> {
  const { from, to } = await resolvePeriod(ctx, asked)
  const counts: Report['counts'] = []
  for (const day of listDays(from, to))
    for (const { template, version, error_code, ...row } of await countByVersion(ctx.db, { ...of, day }))
      counts.push({
        day,
        ...row,
        ...(template !== null && { template }),
        ...(version !== null && { version }),
        ...(error_code !== null && { error_code }),
      })
  const { changes, more } = await listChanges(ctx, of.tenant_id, { from, to })
  return { from, to, counts, changes, more_changes: more, sample: await pickReceipts(ctx, of, counts) }
}

type Period = { from: string; to: string }

async function resolvePeriod({ db }: Pick<Context, 'db'>, asked: ReportPeriod): Promise<Period> {
  const to = asked.to ?? (await readToday(db))
  const from = asked.from ?? toDay(Date.parse(to) - (defaultDays - 1) * day_ms)
  if (from > to || listDays(from, to).length > maxReportDays)
    throw new Refusal(
      'invalid_request',
      `from and to must be in order and at most ${maxReportDays} days, both included.`,
    )
  return { from, to }
}

function listDays(from: string, to: string): string[] {
  const days = (Date.parse(to) - Date.parse(from)) / day_ms + 1
  return Array.from({ length: days }, (_, index) => toDay(Date.parse(from) + index * day_ms))
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

async function listChanges(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
  { from, to }: Period,
): Promise<{ changes: Report['changes']; more: boolean }> {
  const changes: Report['changes'] = []
  const period = { from: `${from}T00:00:00Z`, to: `${toDay(Date.parse(to) + day_ms)}T00:00:00Z` }
  let before_seq: number | undefined
  for (let page = 0; page < maxPages; page += 1) {
    const { data, next_before_seq } = await listAudit(
      { db },
      { tenant_id, ...period, limit: 1000, before_seq },
    )
    for (const { seq, at, action, subject, detail } of data)
      if (reported.test(action))
        changes.push({
          seq,
          at,
          action,
          ...(subject !== undefined && { subject }),
          ...(detail !== undefined && { detail }),
        })
    if (changes.length > maxReportChanges) return { changes: changes.slice(0, maxReportChanges), more: true }
    if (next_before_seq === undefined) return { changes, more: false }
    before_seq = next_before_seq
  }
  return { changes, more: true }
}

/** Ids are random, so the receipt that follows a random id is a random one. */
async function pickReceipts(ctx: Context, of: InEnvironment, counts: Report['counts']): Promise<Receipt[]> {
  const days = [...new Set(counts.map(({ day }) => day))]
  const picked = new Map<string, Receipt>()
  for (let tries = 0; tries < maxTries && picked.size < reportSample && days.length > 0; tries += 1) {
    const day = days[randomInt(days.length)] ?? ''
    const after = newVerificationId(ctx.config.CELL, day)
    const page = { ...of, day, limit: 1 }
    const [following] = await readReceiptPage(ctx.db, { ...page, after })
    const [row] =
      following === undefined ? await readReceiptPage(ctx.db, { ...page, after: '' }) : [following]
    const receipt = row === undefined || picked.has(row.id) ? undefined : await addProof(ctx, of, row)
    if (row !== undefined && receipt !== undefined) picked.set(row.id, receipt)
  }
  return [...picked.values()]
}
