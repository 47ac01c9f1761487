import { setTimeout as sleep } from 'node:timers/promises'
import { newMerchant, type Merchant } from '../../apps/service/test/service.ts'
import { openWallet } from '../../apps/service/test/wallet.ts'
import { round, type Bench, type Figure } from '../figure.ts'
import { startInstallation, type Installation, type Reading } from './installation.ts'
import type { TableSize } from './sizes.ts'
import { happens, workload } from './workload.ts'

const verifications = 1000
const warmUp = 100
const inFlight = 64
const tenants = 20
const idle_ms = 5000
const maxTries = 50
const pause_ms = 200
const body = {
  template: 'age_over_18',
  metadata: { order: 'A-123456' },
  purpose: 'Age check at the till',
  redirect_url: 'https://merchant.example/return',
  ttl_seconds: 3600,
}

type OpenVerification = { id: string; wallet_uri: string; merchant: Merchant; turn: number; form?: string }
type Measured = { used: Reading; took_ms: number }

/**
 * Runs the workload of the capacity model with all parts of an installation, and measures what a verification takes of each: CPU time,
 * WAL, network and storage. It shows what the sum of the single operations leaves out, such as the audit chain, vacuum and
 * checkpoints. The wallets' own work is done in between and not measured.
 */
const mixed: Bench = async () => {
  await using installation = await startInstallation()
  const merchants = await Promise.all(
    Array.from({ length: tenants }, () =>
      newMerchant(installation.ctx, installation.address, { daily_quota: 2_000_000_000 }),
    ),
  )
  await finish(await fillForms(installation, await create(warmUp)))
  await installation.untilIdle()
  const sizes = await installation.sizes()
  const idle = await measure(() => sleep(idle_ms))
  let open: OpenVerification[] = []
  const creating = await measure(async () => {
    open = await create(verifications)
    await installation.untilIdle()
  })
  open = await fillForms(installation, open)
  const finishing = await measure(async () => {
    await finish(open)
    await installation.untilIdle()
  })
  const used = add(withoutIdle(creating, idle), withoutIdle(finishing, idle))
  return listFigures(used, { before: sizes, after: await installation.sizes() })

  async function create(count: number): Promise<OpenVerification[]> {
    return inParallel(
      Array.from({ length: count }, (_, turn) => turn),
      async (turn) => {
        const merchant = merchants[turn % tenants] as Merchant // within the array
        const webhook = { webhook_url: installation.webhook_url }
        const headers = { 'idempotency-key': `${turn}-${Math.random()}` }
        const created = await merchant.post('/v1/verifications', { ...body, ...webhook }, { headers })
        if (created.status !== 201) throw new Error(`a creation was answered ${created.status}`)
        return { ...(created.body as { id: string; wallet_uri: string }), merchant, turn } // a creation has both
      },
    )
  }

  async function measure(run: () => Promise<void>): Promise<Measured> {
    const before = await installation.read()
    const started = performance.now()
    await run()
    const took_ms = performance.now() - started
    return { used: combine(await installation.read(), before, (end, start) => end - start), took_ms }
  }
}

export const benches: Record<string, Bench> = { mixed }

/** Lets a wallet answer four of five verifications, and keeps its forms instead of sending them. */
async function fillForms(
  { ctx, address }: Installation,
  open: readonly OpenVerification[],
): Promise<OpenVerification[]> {
  const forms: string[] = []
  const wallet = await openWallet(ctx, address, {
    format: 'dc+sd-jwt',
    onPost: (form) => void forms.push(form),
  })
  const filled: OpenVerification[] = []
  for (const verification of open) {
    const hasResponse = happens(workload.response, verification.turn)
    if (hasResponse) await wallet.respond(verification.wallet_uri)
    filled.push({ ...verification, ...(hasResponse && { form: forms.at(-1) ?? '' }) })
  }
  return filled
}

/** Everything that happens to a verification after its creation. */
async function finish(open: readonly OpenVerification[]): Promise<void> {
  await inParallel(open, async ({ id, merchant, turn, form }) => {
    const path = `/v1/verifications/${id}`
    for (let poll = 0; poll < workload.poll; poll += 1) await expectOk(() => merchant.get(`${path}/status`))
    await expectOk(() => merchant.get(`/wallet/request/${id}`))
    if (form !== undefined) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      await expectOk(() => merchant.post(`/wallet/response/${id}`, undefined, { raw: form, headers }))
    }
    await expectOk(() => merchant.get(path))
    if (happens(workload.list, turn)) await expectOk(() => merchant.get('/v1/verifications'))
    if (happens(workload.erase, turn)) await expectOk(() => merchant.delete(path))
  })
}

/** Repeats what an overloaded service refused, as a client would. */
async function expectOk(send: () => Promise<{ status: number; text: string }>): Promise<void> {
  let { status, text } = await send()
  for (let tries = 1; status === 503 && tries < maxTries; tries += 1) {
    await sleep(pause_ms)
    ;({ status, text } = await send())
  }
  if (status !== 200) throw new Error(`a request was answered ${status}: ${text}`)
}

async function inParallel<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.values()
  const runNext = async () => {
    for (const item of queue) results.push(await run(item))
  }
  await Promise.all(Array.from({ length: inFlight }, runNext))
  return results
}

/** What the processes use anyway does not belong to the verifications. */
function withoutIdle({ used, took_ms }: Measured, idle: Measured): Reading {
  const share = took_ms / idle.took_ms
  return combine(used, idle.used, (all, unused) => Math.max(0, all - unused * share))
}

const add = (one: Reading, other: Reading) => combine(one, other, (first, second) => first + second)

function combine(one: Reading, other: Reading, how: (one: number, other: number) => number): Reading {
  const each = (kind: keyof Reading) =>
    Object.fromEntries(
      Object.entries(one[kind]).map(([name, value]) => [name, how(value, other[kind][name] ?? 0)]),
    )
  return { cpu: each('cpu'), bytes: each('bytes') }
}

/** The share of one verification. */
function listFigures(used: Reading, { before, after }: Record<'before' | 'after', TableSize[]>): Figure[] {
  const share = (name: string, unit: string, value: number) => ({
    name: `mixed.${name}`,
    value: round(value / verifications),
    unit,
  })
  const storage = after.flatMap(({ table, heap, indexes }) => {
    const empty = before.find((size) => size.table === table)
    return [
      share(`heap.${table}`, 'bytes', heap - (empty?.heap ?? 0)),
      share(`indexes.${table}`, 'bytes', indexes - (empty?.indexes ?? 0)),
    ]
  })
  return [
    ...Object.entries(used.cpu).map(([name, value]) => share(`cpu.${name}`, 'µs', value)),
    ...Object.entries(used.bytes).map(([name, value]) => share(`bytes.${name}`, 'bytes', value)),
    ...storage,
  ]
}
