import { readFileSync } from 'node:fs'
import type * as contract from '@vidimus/contract'
import { expect, expectTypeOf, test } from 'vitest'
import { generateOperations, generateTypes } from '../write-types.ts'
import type * as sdk from './types.ts'

/** The input type of a schema, with its optional members. */
type Input<Schema extends { _zod: { input: unknown } }> = Schema['_zod']['input']

test('the committed types and operations match the contract', async () => {
  const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')

  expect(read('types.ts')).toBe(await generateTypes())
  expect(read('operations.ts')).toBe(generateOperations())
})

test("the SDK's types equal the contract's types", () => {
  expectTypeOf<sdk.Verification>().toEqualTypeOf<contract.Verification>()
  expectTypeOf<sdk.VerificationList>().toEqualTypeOf<contract.VerificationList>()
  expectTypeOf<sdk.VerificationStatus>().toEqualTypeOf<contract.VerificationStatus>()
  expectTypeOf<sdk.Erasure>().toEqualTypeOf<contract.Erasure>()
  expectTypeOf<sdk.Device>().toEqualTypeOf<contract.Device>()
  expectTypeOf<sdk.DeviceList>().toEqualTypeOf<contract.DeviceList>()
  expectTypeOf<sdk.RegisteredDevice>().toEqualTypeOf<contract.RegisteredDevice>()
  expectTypeOf<sdk.TokenPair>().toEqualTypeOf<contract.TokenPair>()
  expectTypeOf<sdk.TillSettings>().toEqualTypeOf<contract.TillSettings>()
  expectTypeOf<sdk.PinCheck>().toEqualTypeOf<contract.PinCheck>()
  expectTypeOf<sdk.PhotoComparison>().toEqualTypeOf<contract.PhotoComparison>()
  expectTypeOf<sdk.Usage>().toEqualTypeOf<contract.Usage>()
  expectTypeOf<sdk.ErrorCode>().toEqualTypeOf<contract.ErrorCode>()
  expectTypeOf<sdk.WebhookPayload>().toEqualTypeOf<contract.WebhookPayload>()
  expectTypeOf<sdk.WebhookTestPayload>().toEqualTypeOf<contract.TestPayload>()
  expectTypeOf<sdk.CreateVerification>().toEqualTypeOf<Input<typeof contract.CreateVerification>>()
  expectTypeOf<sdk.ChangeDevice>().toEqualTypeOf<contract.ChangeDevice>()
  expectTypeOf<sdk.RenewPairingCode>().toEqualTypeOf<Input<typeof contract.RenewPairingCode>>()
  expectTypeOf<sdk.RegisterDevice>().toEqualTypeOf<Input<typeof contract.RegisterDevice>>()
})
