import { z } from 'zod'
import { PresentFromReader, ReaderRequest, RequestFromReader } from './reader.ts'
import type { PublishedRoute } from './route.ts'
import { ComparePhoto, PhotoComparison } from './till.ts'
import { UsableTemplateList } from './templates.ts'
import { Usage } from './usage.ts'
import {
  CreateVerification,
  CreateVerificationQuery,
  ListVerifications,
  RedeemResponseCode,
} from './verification-requests.ts'
import {
  Erasure,
  VerificationIdParam,
  Verification,
  VerificationList,
  VerificationStatus,
} from './verifications.ts'

const verificationParams = z.object({ id: VerificationIdParam })

/** The routes about verifications, which merchants and their devices call. */
export const merchantRoutes = {
  createVerification: {
    method: 'POST',
    path: '/v1/verifications',
    summary: 'Create a verification',
    scope: 'verifications:create',
    headers: {
      'Idempotency-Key':
        '1-255 printable ASCII characters without spaces. The same key and body within 24 hours return the first response again.',
    },
    query: CreateVerificationQuery,
    json: CreateVerification,
    success: {
      status: 201,
      body: Verification,
      description:
        'The verification. Show `wallet_uri` to the holder, or send the holder to the page in the header `Link`.',
    },
    links_page: true,
    refusals: [
      'invalid_idempotency_key',
      'idempotency_key_in_flight',
      'unknown_template',
      'invalid_webhook_url',
      'registration_exceeded',
      'sealing_key_missing',
      'idempotency_key_reused',
      'tenant_suspended',
      'tenant_not_approved',
      'quota_exceeded',
    ],
  },
  listVerifications: {
    method: 'GET',
    path: '/v1/verifications',
    summary: 'List verifications, newest first',
    scope: 'verifications:read',
    query: ListVerifications,
    success: {
      status: 200,
      body: VerificationList,
      description: 'One page of verifications.',
    },
  },
  getVerification: {
    method: 'GET',
    path: '/v1/verifications/{id}',
    summary: 'Get a verification',
    scope: 'verifications:read',
    params: verificationParams,
    not_found: 'session_not_found',
    success: {
      status: 200,
      body: Verification,
      description: 'The verification as it is now.',
    },
    links_page: true,
  },
  eraseVerification: {
    method: 'DELETE',
    path: '/v1/verifications/{id}',
    summary: 'Permanently erase a verification and everything derived from it',
    scope: 'verifications:delete',
    params: verificationParams,
    not_found: 'session_not_found',
    success: {
      status: 200,
      body: Erasure,
      description: 'It is gone, with everything derived from it.',
    },
  },
  cancelVerification: {
    method: 'POST',
    path: '/v1/verifications/{id}/cancel',
    summary: 'Cancel a verification that no wallet has responded to',
    scope: 'verifications:create',
    params: verificationParams,
    not_found: 'session_not_found',
    success: {
      status: 200,
      body: Verification,
      description: 'The verification, which is now `expired`. A second cancellation returns the same.',
    },
    refusals: ['session_already_responded'],
  },
  redeemResponseCode: {
    method: 'POST',
    path: '/v1/verifications/{id}/redeem',
    summary: 'Redeem a response code (works once)',
    scope: 'verifications:read',
    params: verificationParams,
    not_found: 'invalid_response_code',
    json: RedeemResponseCode,
    success: {
      status: 200,
      body: Verification,
      description: 'The verification with its result.',
    },
  },
  requestFromReader: {
    method: 'POST',
    path: '/v1/verifications/{id}/reader-requests',
    summary: "Get the request for a wallet nearby, signed for a session of the device's own reader",
    scope: 'verifications:create',
    params: verificationParams,
    not_found: 'session_not_found',
    json: RequestFromReader,
    success: {
      status: 200,
      body: ReaderRequest,
      description: 'The request. The verification now accepts a presentation of this session.',
    },
    refusals: ['session_already_responded', 'session_expired'],
  },
  presentFromReader: {
    method: 'POST',
    path: '/v1/verifications/{id}/presentations',
    summary: "Present what a wallet nearby returned to the device's own reader",
    scope: 'verifications:create',
    params: verificationParams,
    not_found: 'session_not_found',
    json: PresentFromReader,
    success: {
      status: 200,
      body: VerificationStatus,
      description: 'The status. Read the verification for its result.',
    },
    refusals: ['invalid_wallet_response', 'session_already_responded', 'session_expired'],
  },
  comparePhoto: {
    method: 'POST',
    path: '/v1/verifications/{id}/comparison',
    summary: 'Record whether the photo of a completed verification shows the person who is present',
    scope: 'verifications:create',
    params: verificationParams,
    not_found: 'session_not_found',
    json: ComparePhoto,
    success: {
      status: 200,
      body: PhotoComparison,
      description: 'The decision, which is in the timeline and in the audit log. The photo is in neither.',
    },
  },
  getVerificationStatus: {
    method: 'GET',
    path: '/v1/verifications/{id}/status',
    summary: 'Get the status (no key needed)',
    params: verificationParams,
    not_found: 'session_not_found',
    success: {
      status: 200,
      body: VerificationStatus,
      description: 'The status, and nothing else.',
    },
    any_origin: true,
  },
  getUsage: {
    method: 'GET',
    path: '/v1/usage',
    summary: 'Get the daily usage',
    scope: 'verifications:read',
    success: {
      status: 200,
      body: Usage,
      description: 'Usage and quota of today and recent days.',
    },
  },
  listTemplates: {
    method: 'GET',
    path: '/v1/templates',
    summary: 'List the templates that this key can use',
    scope: 'verifications:create',
    success: {
      status: 200,
      body: UsableTemplateList,
      description: 'The built-in templates and your own. A device gets those it may use.',
    },
  },
} satisfies Record<string, PublishedRoute>
