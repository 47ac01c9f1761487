import { globSync, readFileSync } from 'node:fs'
import { auditActions } from '@vidimus/contract'
import { expect, test } from 'vitest'
import { installationActions, serviceActions } from './append.ts'

test('docs/reference/audit.md explains exactly the listed actions, and SQL functions record no other', () => {
  const documented = [
    ...readFileSync('docs/reference/audit.md', 'utf8').matchAll(/^\| ((?:`[a-z_.]+`(?:, )?)+) \|/gm),
  ].flatMap(([, actions = '']) => actions.match(/[a-z_]+\.[a-z_]+/g) ?? [])
  const inFunctions = globSync('apps/service/schema/functions/*.sql').flatMap((file) => {
    const recorded = readFileSync(file, 'utf8').matchAll(/insert into audit_inbox[^']*'([a-z_]+\.[a-z_]+)'/g)
    return Array.from(recorded, ([, action = '']) => action)
  })

  expect(documented.toSorted()).toEqual(
    [...auditActions, ...installationActions, ...serviceActions].toSorted(),
  )
  expect(new Set(inFunctions)).toEqual(
    new Set([
      'verification.cancelled',
      'verification.responded',
      'verification.created',
      'verification.erased',
      'erasure.requested',
    ]),
  )
  expect(auditActions).toEqual(expect.arrayContaining(inFunctions))
})
