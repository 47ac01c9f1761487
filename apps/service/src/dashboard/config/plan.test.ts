import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Entry, type EntryKind, nameEntry } from './entries.ts'
import { planChanges } from './plan.ts'

const listKinds = ['anchor', 'registration', 'template', 'webhook_endpoint', 'openid_client'] as const

// A plan reads keys and what must be the same, not the values.
const entryOf = (kind: EntryKind, key: string, same: string) =>
  ({ kind, key, same, resource: key, value: {} }) as Entry

const entries = fc.uniqueArray(
  fc
    .tuple(fc.constantFrom(...listKinds), fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2'))
    .map(([kind, key, same]) => entryOf(kind, key, same)),
  { selector: nameEntry },
)
const listed = fc.subarray([...listKinds]).map((kinds) => new Set<EntryKind>(kinds))

const stateOf = (all: readonly Entry[]) => all.map((each) => `${nameEntry(each)} ${each.same}`).toSorted()

test('[CONFIG-2] a plan leads to what is wanted, deletes only with prune and only what is listed, and a second plan is empty', () => {
  fc.assert(
    fc.property(entries, entries, listed, fc.boolean(), (current, given, kinds, prune) => {
      const wanted = given.filter(({ kind }) => kinds.has(kind))
      const plan = planChanges(current, wanted, { listed: kinds, prune })

      const state = new Map(current.map((entry) => [nameEntry(entry), entry]))
      for (const { action, entry, before } of plan.changes) {
        expect(state.get(nameEntry(entry))).toBe(before)
        if (action === 'delete') state.delete(nameEntry(entry))
        else state.set(nameEntry(entry), entry)
      }
      expect(stateOf([...state.values()])).toEqual(stateOf(plan.after))
      expect(stateOf(plan.after)).toEqual(expect.arrayContaining(stateOf(wanted)))
      const deleted = plan.changes.filter(({ action }) => action === 'delete')
      expect(deleted.every(({ entry }) => prune && kinds.has(entry.kind))).toBe(true)
      expect(plan.after.length - wanted.length).toBe(
        plan.kept + current.filter(({ kind }) => !kinds.has(kind)).length,
      )
      expect(planChanges(plan.after, wanted, { listed: kinds, prune }).changes).toEqual([])
    }),
    { numRuns: 2000 },
  )
})

test('what others refer to is created before them and deleted after them', () => {
  const made = listKinds.map((kind) => entryOf(kind, 'new', '1'))
  const old = listKinds.map((kind) => entryOf(kind, 'old', '1'))
  const { changes } = planChanges(old, made, { listed: new Set(listKinds), prune: true })
  expect(changes.map(({ action, entry }) => `${action} ${entry.kind}`)).toEqual([
    'delete openid_client',
    'delete webhook_endpoint',
    'create anchor',
    'create registration',
    'create template',
    'create webhook_endpoint',
    'create openid_client',
    'delete template',
    'delete registration',
    'delete anchor',
  ])
})
