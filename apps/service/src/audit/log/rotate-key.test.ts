import {
  canonicalize,
  readHandover,
  readSignedCheckpoint,
  signCheckpoint,
  signHandover,
  startCheck,
  writePublicKey,
  type SigningKey,
} from '@vidimus/evidence'
import { expect, test } from 'vitest'
import { exportLines, insertEntries, newTenants, openAuditFixture } from '../../../test/audit/audit.ts'
import { checkWithPython } from '../../../test/audit/check-with-python.ts'
import { waitUntil } from '../../../test/wait-until.ts'
import type { ServiceContext } from '../../program/context.ts'
import { sql } from '../../engine/db/sql.ts'
import { sequenceAudit } from '../chain/sequence.ts'
import { proveContinuation, proveEntry } from '../verify/prove.ts'
import { verifyEverything } from '../verify/verify.ts'
import { describeCheckpoint } from './checkpoint-folder.ts'
import { newSealedKey, openLog } from './open-log.ts'
import { rotateAuditKey } from './rotate-key.ts'
import { signLeaf } from './sign-leaf.ts'

const tenants = newTenants(2)
const [tenant = ''] = tenants

async function leaf(ctx: ServiceContext): Promise<boolean> {
  await insertEntries(ctx.db, tenants, 4)
  await sequenceAudit(ctx)
  return signLeaf({ ...ctx, pause_ms: 0 })
}

const keyOf = async (ctx: ServiceContext): Promise<SigningKey> => (await openLog(ctx, ctx.db)).key

async function check(
  { publicKey }: SigningKey,
  lines: readonly string[],
  saved?: string,
  handovers?: string[],
) {
  const started = startCheck({ publicKey, saved, handovers })
  for (const line of lines) started.line(line)
  return (await started.end()).faults
}

/** Changes the last line of an export. */
function change(lines: readonly string[], alter: (seal: Record<string, unknown>) => object): string[] {
  const { seal } = JSON.parse(lines.at(-1) ?? '')
  return [...lines.slice(0, -1), canonicalize({ seal: alter(seal) })]
}

/** A log whose key was replaced twice, with an export under each key. */
async function rotateTwice(ctx: ServiceContext) {
  const keys: SigningKey[] = []
  const exports: string[][] = []
  const notes: string[] = []
  for (let number = 0; number < 3; number += 1) {
    if (number > 0) await rotateAuditKey(ctx)
    for (let count = 0; count < 2; count += 1) await leaf(ctx)
    keys.push(await keyOf(ctx))
    notes.push((await openLog(ctx, ctx.db)).checkpoint ?? '')
    exports.push(await exportLines(ctx, tenant))
  }
  const [first, second, third] = keys
  if (first === undefined || second === undefined || third === undefined) throw new Error('three keys')
  return { keys: [first, second, third] as const, exports, notes }
}

test('[AUD-5] whoever has any earlier key can check an export after several rotations, with both implementations', async () => {
  await using audit = await openAuditFixture()
  const { ctx } = audit
  const { keys, exports, notes } = await rotateTwice(ctx)
  const files = [
    ...exports,
    await exportLines(ctx, tenant, notes[0]),
    [await proveEntry(ctx, { tenant_id: tenant, seq: 1 })],
    [await proveContinuation(ctx, notes[0] ?? '')],
  ]
  for (const [place, key] of keys.entries()) {
    const faults = await Promise.all(files.map((lines) => check(key, lines)))
    // An export from before a key took over is checked with the key of its time.
    expect(faults.map((each) => each.length === 0)).toEqual(files.map((_, index) => index >= place))
    const python = await checkWithPython(files, writePublicKey(key.publicKey))
    expect(python).toEqual(faults.map((each) => each.length === 0))
  }
  for (const saved of notes)
    expect(await check(keys[0], await exportLines(ctx, tenant, saved), saved)).toEqual([])
  // The reader has only the newest key, and a checkpoint from the time of the first.
  expect(await check(keys[2], await exportLines(ctx, tenant, notes[0]), notes[0])).toEqual([])
  expect(await verifyEverything(ctx)).toMatchObject({ valid: true, leaves: 6, faults: [] })
})

test('[AUD-5] an export is refused if its handovers are missing, cut, forked, or not signed by the key before', async () => {
  await using audit = await openAuditFixture()
  const { ctx } = audit
  const { keys, exports } = await rotateTwice(ctx)
  const [first, second, third] = keys
  const lines = exports[2] ?? []
  const [one = '', two = ''] = (await openLog(ctx, ctx.db)).handovers
  const { size = 0, root = new Uint8Array() } = (await readHandover(two)) ?? {}
  const forged = newSealedKey(ctx.keyring, first.name).key
  const stolen = (number: number, from: SigningKey) => signHandover({ number, size, root }, from, forged)
  const resigned = (key: SigningKey, handovers: string[]) =>
    change(lines, (seal) => {
      const [, sizeText = '', rootText = ''] = String(seal['checkpoint']).split('\n')
      const at = { size: Number(sizeText), root: Buffer.from(rootText, 'base64') }
      return { ...seal, checkpoint: signCheckpoint(at, key), handovers }
    })
  const withHandovers = (handovers: string[]) => change(lines, (seal) => ({ ...seal, handovers }))
  const altered: Record<string, string[]> = {
    'all handovers are removed': change(lines, ({ handovers: _, ...seal }) => seal),
    'the list is empty': withHandovers([]),
    'the end of the list is cut off': withHandovers([one]),
    'the beginning of the list is cut off': withHandovers([two]),
    'the list is reversed': withHandovers([two, one]),
    'a forged key names itself the successor': resigned(forged, [one, stolen(2, forged)]),
    'the first key names a second successor': resigned(forged, [one, stolen(2, first)]),
    'a third handover is by a key that was replaced': resigned(forged, [one, two, stolen(3, second)]),
    'the first key signs after its handover': resigned(first, [one, two]),
    'the second key signs after its handover': resigned(second, [one, two]),
  }
  const accepted: string[] = []
  for (const [what, file] of Object.entries(altered))
    if ((await check(first, file)).length === 0) accepted.push(what)
  expect(accepted).toEqual([])
  expect(await check(first, resigned(first, [one, two]))).toEqual([
    expect.stringContaining('is signed by a key that was replaced at size 2'),
  ])
  const python = await checkWithPython([...Object.values(altered), lines], writePublicKey(first.publicKey))
  expect(python).toEqual([...Object.values(altered).map(() => false), true])
  expect(await check(third, lines)).toEqual([])

  // Someone who has the first key can hide the handovers from a reader who has only that key, but not from one who knows them.
  const hidden = change(resigned(first, [one]), ({ handovers: _, ...seal }) => seal)
  expect(await check(first, hidden)).toEqual([])
  expect(await check(first, hidden, undefined, [one, two])).toEqual([expect.stringContaining('was replaced')])
  expect(await check(first, resigned(forged, [stolen(1, first)]), undefined, [one, two])).toEqual([
    expect.stringContaining('other handovers'),
  ])
  expect(await check(first, exports[0] ?? [], undefined, [one, two])).toEqual([])
})

test('a process that knows the old key stores nothing with it, and goes on with the new one', async () => {
  await using audit = await openAuditFixture()
  const { ctx } = audit
  const other = await audit.node()
  expect(await leaf(other)).toBe(true)
  const before = await describeCheckpoint(ctx, tenant)
  const old = await keyOf(ctx)
  await rotateAuditKey(ctx)
  expect(await describeCheckpoint(ctx, tenant)).toEqual(before)

  expect(await leaf(other)).toBe(true)
  const { checkpoint = '', keys } = await openLog(ctx, ctx.db)
  expect(await readSignedCheckpoint(checkpoint, keys)).toMatchObject({ size: 2, key: 1 })
  expect(await verifyEverything(ctx)).toMatchObject({ valid: true, leaves: 2, faults: [] })

  // A program of an earlier version does not name its key when it stores a checkpoint.
  const wrong = signCheckpoint({ size: 4, root: new Uint8Array(32) }, old)
  await expect(ctx.db.execute(sql`update audit_log set checkpoint = ${wrong}`)).rejects.toThrow(
    'audit_log_signed_with_current_key',
  )
})

test('rotations while several processes sign: every checkpoint is signed by the key whose turn it was', async () => {
  const rotations = 8
  await using audit = await openAuditFixture()
  const nodes = [audit.ctx, ...(await Promise.all([1, 2, 3].map(() => audit.node())))]
  const first = await keyOf(audit.ctx)
  const checkpoints = new Set<string>()
  let finished = false
  const signing = nodes.map(async (ctx) => {
    while (!finished) {
      await leaf(ctx)
      checkpoints.add((await openLog(ctx, ctx.db)).checkpoint ?? '')
    }
  })
  const rotating = await audit.node()
  for (let number = 1; number <= rotations; number += 1) {
    const seen = checkpoints.size
    await waitUntil(() => checkpoints.size > seen + 1)
    expect(await rotateAuditKey(rotating)).toMatchObject({ number })
    checkpoints.add((await openLog(rotating, rotating.db)).checkpoint ?? '')
  }
  finished = true
  await Promise.all(signing)

  const { keys } = await openLog(audit.ctx, audit.ctx.db)
  const read = await Promise.all(
    [...checkpoints].filter(Boolean).map((note) => readSignedCheckpoint(note, keys)),
  )
  expect(read.filter((each) => 'fault' in each)).toEqual([])
  expect(new Set(read.map((each) => 'key' in each && each.key)).size).toBeGreaterThanOrEqual(rotations)
  expect(await verifyEverything(audit.ctx)).toMatchObject({ valid: true, faults: [] })
  expect(await check(first, await exportLines(audit.ctx, tenant))).toEqual([])
}, 120_000)

test('of rotations at the same time one replaces the key, and the others do nothing', async () => {
  await using audit = await openAuditFixture()
  const { ctx } = audit
  await leaf(ctx)
  const nodes = [ctx, ...(await Promise.all([1, 2, 3].map(() => audit.node())))]
  // Each reads the log before any of them replaces the key.
  let waiting = nodes.length
  const allRead = Promise.withResolvers<void>()
  const racing = nodes.map((node) => ({
    ...node,
    db: {
      ...node.db,
      async execute(statement: Parameters<typeof node.db.execute>[0]) {
        if (statement.texts.some((text) => text.includes('audit_handovers'))) {
          waiting -= 1
          if (waiting === 0) allRead.resolve()
          await allRead.promise
        }
        return node.db.execute(statement)
      },
    },
  }))
  const results = await Promise.allSettled(racing.map((node) => rotateAuditKey(node)))

  const outcomes = results.map((result) =>
    result.status === 'fulfilled' ? 'rotated' : String(result.reason),
  )
  expect(outcomes.toSorted()).toEqual([
    ...Array.from({ length: 3 }, () =>
      expect.stringContaining('Another process replaced the key at the same time'),
    ),
    'rotated',
  ])
  expect((await openLog(ctx, ctx.db)).handovers).toHaveLength(1)
  expect(await leaf(ctx)).toBe(true)
  expect(await verifyEverything(ctx)).toMatchObject({ valid: true, faults: [] })
})

test('a log without a leaf can be handed over, and an altered one cannot', async () => {
  await using audit = await openAuditFixture()
  const { ctx } = audit
  const first = await keyOf(ctx)
  expect(await rotateAuditKey(ctx)).toEqual({ number: 1, size: 0 })
  expect(await rotateAuditKey(ctx)).toEqual({ number: 2, size: 0 })
  expect(await leaf(ctx)).toBe(true)
  expect(await check(first, await exportLines(ctx, tenant))).toEqual([])
  expect(await verifyEverything(ctx)).toMatchObject({ valid: true, faults: [] })

  await ctx.db.execute(sql`update audit_leaves set at = at + interval '1 microsecond'`)
  await expect(rotateAuditKey(ctx)).rejects.toThrow('the leaves do not match')
})

test('a rotation may be the first thing that is done with the log of a cell', async () => {
  await using audit = await openAuditFixture()
  expect(await rotateAuditKey(audit.ctx)).toEqual({ number: 1, size: 0 })
  expect(await verifyEverything(audit.ctx)).toMatchObject({ valid: true, faults: [] })
})

const alterations = {
  'a handover is deleted': sql`delete from audit_handovers where number = 2`,
  'all handovers are deleted': sql`delete from audit_handovers`,
  'a handover is altered': sql`update audit_handovers set note = replace(note, E'\n2\n', E'\n3\n')`,
  'handovers are swapped': sql`update audit_handovers h set note = (select o.note from audit_handovers o where o.number = 3 - h.number)`,
  'a handover gets another number': sql`update audit_handovers set number = 3 where number = 2`,
  'the old key is put back': sql`update audit_log set sealed_key = (select sealed_key from old_key)`,
}

for (const [what, alteration] of Object.entries(alterations)) {
  test(`nothing more is signed when ${what}`, async () => {
    await using audit = await openAuditFixture()
    const { ctx } = audit
    await openLog(ctx, ctx.db)
    await ctx.db.execute(sql`create table old_key as select sealed_key from audit_log`)
    await rotateTwice(ctx)
    await ctx.db.execute(alteration)

    await expect(leaf(await audit.node())).rejects.toThrow(/handover|replaced/)
    expect((await verifyEverything(ctx)).valid).toBe(false)
  })
}
