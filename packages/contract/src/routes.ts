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

/** The answer to a path parameter that cannot exist: overlong, undecodable or odd ids are this 404 (GEN-10). */
export type NotFoundCode = Extract<ErrorCode, `${string}_not_found` | 'invalid_response_code'>

export type Route = {
  method: 'GET' | 'POST' | 'DELETE'
  /** Parameters stand in braces, as in OpenAPI. */
  path: `/${string}`
  summary: string
  /** The scope that the bearer needs. Absent: no key is needed, and one that is sent is ignored (AUTH-13). */
  scope?: Scope
  params?: z.ZodObject
  unknown?: NotFoundCode
  query?: z.ZodObject
  json?: z.ZodType
  form?: z.ZodType
  /** Request headers that the route reads, by name, with what they mean. */
  headers?: Record<string, string>
  /** What success looks like. A text is sent as it is, with its media type. */
  success: { status: 200 | 201; body: z.ZodType; media?: string }
  /** The codes of this route alone; every route can answer the ones that `commonRefusals` names. */
  refusals?: readonly ErrorCode[]
  /** Pages of any origin may call it from a browser (STAT-1). */
  any_origin?: true
}

const sessionParams = z.object({ id: text({ min: 1, max: 128 }) })
const walletSessionParams = z.object({ sessionId: text({ min: 1, max: 128 }) })
const requestObjectResponse = {
  status: 200,
  body: z.string(),
  media: 'application/oauth-authz-req+jwt',
} as const

/** The whole published API: the service mounts its routes from this table, and the description is generated from it. */
export const routes = {
  createVerification: {
    method: 'POST',
    path: '/v1/verifications',
    summary: 'Create a verification session',
    scope: 'verifications:create',
    headers: {
      'Idempotency-Key':
        '1-255 printable ASCII characters without spaces. The same key and body within 24 hours replay the first answer.',
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
    summary: 'Fetch one session',
    scope: 'verifications:read',
    params: sessionParams,
    unknown: 'session_not_found',
    success: { status: 200, body: Verification },
  },
  eraseVerification: {
    method: 'DELETE',
    path: '/v1/verifications/{id}',
    summary: 'Erase a session and everything derived from it, for good',
    scope: 'verifications:delete',
    params: sessionParams,
    unknown: 'session_not_found',
    success: { status: 200, body: Erasure },
  },
  redeemResponseCode: {
    method: 'POST',
    path: '/v1/verifications/{id}/redeem',
    summary: 'Redeem a response code; it works once',
    scope: 'verifications:read',
    params: sessionParams,
    unknown: 'invalid_response_code',
    json: RedeemResponseCode,
    success: { status: 200, body: Verification },
  },
  getVerificationStatus: {
    method: 'GET',
    path: '/v1/verifications/{id}/status',
    summary: 'Poll the status; needs no key',
    params: sessionParams,
    unknown: 'session_not_found',
    success: { status: 200, body: VerificationStatus },
    any_origin: true,
  },
  getUsage: {
    method: 'GET',
    path: '/v1/usage',
    summary: 'Read the daily usage',
    scope: 'verifications:read',
    success: { status: 200, body: Usage },
  },
  registerDevice: {
    method: 'POST',
    path: '/v1/devices',
    summary: 'Register a device and get its pairing code',
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
    summary: 'Revoke a device and every token it holds',
    scope: 'devices:manage',
    params: z.object({ id: z.uuid() }),
    unknown: 'device_not_found',
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
    summary: 'The signed request object, for the wallet',
    params: walletSessionParams,
    unknown: 'session_not_found',
    success: requestObjectResponse,
    refusals: ['session_already_responded', 'session_expired'],
  },
  postWalletRequest: {
    method: 'POST',
    path: '/wallet/request/{sessionId}',
    summary: 'The signed request object, with the nonce that the wallet posts',
    params: walletSessionParams,
    unknown: 'session_not_found',
    form: WalletForm,
    success: requestObjectResponse,
    refusals: ['session_already_responded', 'session_expired'],
  },
  postWalletResponse: {
    method: 'POST',
    path: '/wallet/response/{sessionId}',
    summary: "The wallet's presentation",
    params: walletSessionParams,
    unknown: 'session_not_found',
    form: WalletForm,
    success: { status: 200, body: WalletRedirect },
    refusals: ['invalid_wallet_response', 'session_already_responded', 'session_expired'],
  },
} satisfies Record<string, Route>
