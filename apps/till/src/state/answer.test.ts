import { errorCodes } from '@vidimus/contract'
import { failures } from '@vidimus/protocol'
import { expect, test } from 'vitest'
import { answerFailure } from './answer.ts'
import { classifyFault } from './faults.ts'

/** What could not be determined is not a refusal. */
const notChecked = ['wallet_error', 'credential_malformed', 'status_unavailable']

test('[TILL-4] every failure code is a No if the holder or a check refused, and otherwise Not checked', () => {
  const words = Object.keys(failures).map((code) => [code, answerFailure(code).word])
  expect(words).toHaveLength(11)
  expect(words).toEqual(
    Object.keys(failures).map((code) => [code, notChecked.includes(code) ? 'not_checked' : 'no']),
  )
})

test('[TILL-4] a code that this version does not know is Not checked, whatever it is called', () => {
  for (const code of ['issuer_suspended', '', 'constructor', '__proto__', undefined])
    expect(answerFailure(code)).toEqual({ word: 'not_checked', reason: 'unknown_failure' })
})

test('[TILL-4] no error of the API can become a No', () => {
  const kinds = [...Object.keys(errorCodes), 'unreadable_answer', 'toString', 'a_new_code'].map(classifyFault)
  expect(new Set(kinds.map(({ kind }) => kind))).toEqual(new Set(['pairing_lost', 'retry', 'final']))
  expect(classifyFault('invalid_api_key')).toEqual({ kind: 'pairing_lost' })
  expect(classifyFault('quota_exceeded')).toEqual({ kind: 'final', reason: 'quota_spent' })
  expect(classifyFault('insufficient_scope')).toEqual({ kind: 'final', reason: 'template_withdrawn' })
  expect(classifyFault('toString')).toEqual({ kind: 'final', reason: 'service_fault' })
})
