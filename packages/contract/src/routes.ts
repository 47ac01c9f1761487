import { z } from 'zod'
import {
  DeviceList,
  Device,
  EnrollDevice,
  RefreshDeviceToken,
  RegisterDevice,
  RegisteredDevice,
  TokenPair,
} from './devices.ts'
import type { ErrorCode } from './errors.ts'
import type { Scope } from './scopes.ts'
import { text } from './text.ts'
import { Usage } from './usage.ts'
import {
  CreateVerification,
  Erasure,
  ListVerifications,
  RedeemResponseCode,
  Verification,
  VerificationList,
  VerificationStatus,
} from './verifications.ts'
import { WalletRedirect, WalletForm } from './wallet.ts'

/** The error for an id that cannot exist: ids that are too long, malformed or undecodable get this 404 (GEN-10). */
export type NotFoundCode = Extract<ErrorCode, `${string}_not_found` | 'invalid_response_code'>

export type Route = {
  method: 'GET' | 'POST' | 'DELETE'
  /** Parameters are in braces, as in OpenAPI. */
  path: `/${string}`
  summary: string
  /** The required scope. If absent, no key is needed, and a key that is sent is ignored (AUTH-13). */
  scope?: Scope
  params?: z.ZodObject
  not_found?: NotFoundCode
  query?: z.ZodObject
  json?: z.ZodType
  form?: z.ZodType
  /** Request headers that the route reads: name and description. */
  headers?: Record<string, string>
  /** The success response. Text is sent unchanged with its media type. */
  success: { status: 200 | 201; body: z.ZodType; media?: string }
  /** Error codes specific to this route, in addition to `commonRefusals`. */
  refusals?: readonly ErrorCode[]
  /** Allows requests from pages of any origin (STAT-1). */
  any_origin?: true
}

const sessionParams = z.object({ id: text({ min: 1, max: 128 }) })
const walletSessionParams = z.object({ sessionId: text({ min: 1, max: 128 }) })
const requestObjectResponse = {
  status: 200,
  body: z.string(),
  media: 'application/oauth-authz-req+jwt',
} as const

/** The published API. The service mounts its routes from this table, and the OpenAPI document is generated from it. */
export const routes = {
  createVerification: {
    method: 'POST',
    path: '/v1/verifications',
    summary: 'Create a verification session',
    scope: 'verifications:create',
    headers: {
      'Idempotency-Key':
        '1-255 printable ASCII characters without spaces. The same key and body within 24 hours return the first response again.',
    },
    json: CreateVerification,
    success: { status: 201, body: Verification },
    refusals: [
      'invalid_idempotency_key',
      'idempotency_key_in_flight',
      'unknown_template',
      'invalid_webhook_url',
      'idempotency_key_reused',
      'quota_exceeded',
    ],
  },
  listVerifications: {
    method: 'GET',
    path: '/v1/verifications',
    summary: 'List sessions, newest first',
    scope: 'verifications:read',
    query: ListVerifications,
    success: { status: 200, body: VerificationList },
  },
  getVerification: {
    method: 'GET',
    path: '/v1/verifications/{id}',
    summary: 'Get a session',
    scope: 'verifications:read',
    params: sessionParams,
    not_found: 'session_not_found',
    success: { status: 200, body: Verification },
  },
  eraseVerification: {
    method: 'DELETE',
    path: '/v1/verifications/{id}',
    summary: 'Permanently erase a session and everything derived from it',
    scope: 'verifications:delete',
    params: sessionParams,
    not_found: 'session_not_found',
    success: { status: 200, body: Erasure },
  },
  redeemResponseCode: {
    method: 'POST',
    path: '/v1/verifications/{id}/redeem',
    summary: 'Redeem a response code (works once)',
    scope: 'verifications:read',
    params: sessionParams,
    not_found: 'invalid_response_code',
    json: RedeemResponseCode,
    success: { status: 200, body: Verification },
  },
  getVerificationStatus: {
    method: 'GET',
    path: '/v1/verifications/{id}/status',
    summary: 'Get the status (no key needed)',
    params: sessionParams,
    not_found: 'session_not_found',
    success: { status: 200, body: VerificationStatus },
    any_origin: true,
  },
  getUsage: {
    method: 'GET',
    path: '/v1/usage',
    summary: 'Get the daily usage',
    scope: 'verifications:read',
    success: { status: 200, body: Usage },
  },
  registerDevice: {
    method: 'POST',
    path: '/v1/devices',
    summary: 'Register a device and get a pairing code',
    scope: 'devices:manage',
    json: RegisterDevice,
    success: { status: 201, body: RegisteredDevice },
  },
  listDevices: {
    method: 'GET',
    path: '/v1/devices',
    summary: 'List devices, newest first',
    scope: 'devices:manage',
    success: { status: 200, body: DeviceList },
  },
  revokeDevice: {
    method: 'DELETE',
    path: '/v1/devices/{id}',
    summary: 'Revoke a device and all of its tokens',
    scope: 'devices:manage',
    params: z.object({ id: z.uuid() }),
    not_found: 'device_not_found',
    success: { status: 200, body: Device },
  },
  enrollDevice: {
    method: 'POST',
    path: '/v1/devices/enroll',
    summary: 'Exchange a pairing code for a token pair',
    json: EnrollDevice,
    success: { status: 200, body: TokenPair },
    refusals: ['invalid_pairing_code'],
  },
  refreshDeviceToken: {
    method: 'POST',
    path: '/v1/devices/token',
    summary: 'Exchange a refresh token for a new pair; a spent one revokes the device',
    json: RefreshDeviceToken,
    success: { status: 200, body: TokenPair },
    refusals: ['invalid_refresh_token'],
  },
  getWalletRequest: {
    method: 'GET',
    path: '/wallet/request/{sessionId}',
    summary: 'Get the signed request object (for wallets)',
    params: walletSessionParams,
    not_found: 'session_not_found',
    success: requestObjectResponse,
    refusals: ['session_already_responded', 'session_expired'],
  },
  postWalletRequest: {
    method: 'POST',
    path: '/wallet/request/{sessionId}',
    summary: "Get the signed request object with the wallet's nonce (for wallets)",
    params: walletSessionParams,
    not_found: 'session_not_found',
    form: WalletForm,
    success: requestObjectResponse,
    refusals: ['session_already_responded', 'session_expired'],
  },
  postWalletResponse: {
    method: 'POST',
    path: '/wallet/response/{sessionId}',
    summary: 'Submit the presentation (for wallets)',
    params: walletSessionParams,
    not_found: 'session_not_found',
    form: WalletForm,
    success: { status: 200, body: WalletRedirect },
    refusals: ['invalid_wallet_response', 'session_already_responded', 'session_expired'],
  },
} satisfies Record<string, Route>
