import { z } from 'zod'
import { HolderCancellation, HolderLanguage, HolderVerification, PhaseStreamQuery } from './holder.ts'
import type { PublishedRoute } from './route.ts'
import { describe } from './values.ts'
import { VerificationIdParam } from './verifications.ts'
import { DcRequests, WalletRedirect, WalletForm } from './wallet.ts'

const holderParams = z.object({ id: VerificationIdParam })
const walletVerificationParams = z.object({ sessionId: VerificationIdParam })
const codeParams = z.object({
  code: describe(
    z.string().max(200),
    'From the QR code. It is accepted for about a minute after it left the screen.',
    'vc_0…',
  ),
})
/** The QR code of the holder's page has its own request and response addresses. */
const RequestVia = z.object({
  via: describe(
    z.enum(['screen']),
    '`screen`: the request came from a QR code of the hosted page.',
    'screen',
  ).optional(),
})
/** `age_app`, `age_app_screen`: the EU age-verification app got its request by value, in a link or in a QR code. */
const ResponseVia = z.object({
  via: describe(
    z.enum(['screen', 'age_app', 'age_app_screen']),
    'How the request reached the wallet, if not by a link to this service.',
    'screen',
  ).optional(),
})
const requestObjectResponse = {
  status: 200,
  body: z.string(),
  media: 'application/oauth-authz-req+jwt',
  description: 'The request object, a signed JWT (OpenID4VP 1.0).',
} as const

/** The routes that wallets call, and the page on which the holder continues with one. */
export const walletRoutes = {
  getWalletRequest: {
    method: 'GET',
    path: '/wallet/request/{sessionId}',
    summary: 'Get the signed request object (for wallets)',
    params: walletVerificationParams,
    not_found: 'session_not_found',
    query: RequestVia,
    success: requestObjectResponse,
    refusals: ['session_already_responded', 'session_expired'],
  },
  postWalletRequest: {
    method: 'POST',
    path: '/wallet/request/{sessionId}',
    summary: "Get the signed request object with the wallet's nonce (for wallets)",
    params: walletVerificationParams,
    not_found: 'session_not_found',
    query: RequestVia,
    form: WalletForm,
    success: requestObjectResponse,
    refusals: ['session_already_responded', 'session_expired'],
  },
  getCodeRequest: {
    method: 'GET',
    path: '/wallet/code/{code}',
    summary: 'Get the signed request object by a QR code that is replaced every 20 seconds (for wallets)',
    params: codeParams,
    not_found: 'session_not_found',
    success: requestObjectResponse,
    refusals: ['session_already_responded', 'session_expired'],
  },
  postCodeRequest: {
    method: 'POST',
    path: '/wallet/code/{code}',
    summary: "The same with the wallet's nonce (for wallets)",
    params: codeParams,
    not_found: 'session_not_found',
    form: WalletForm,
    success: requestObjectResponse,
    refusals: ['session_already_responded', 'session_expired'],
  },
  postWalletResponse: {
    method: 'POST',
    path: '/wallet/response/{sessionId}',
    summary: 'Submit the presentation (for wallets)',
    params: walletVerificationParams,
    not_found: 'session_not_found',
    query: ResponseVia,
    form: WalletForm,
    success: {
      status: 200,
      body: WalletRedirect,
      description: 'The response was accepted. Whether the verification completed is not said here.',
    },
    refusals: ['invalid_wallet_response', 'session_already_responded', 'session_expired'],
  },
  getHolderVerification: {
    method: 'GET',
    path: '/verify/{id}/session',
    summary:
      'Get what the holder is shown: who asks, why, what for, and the channels into a wallet (no key needed)',
    params: holderParams,
    not_found: 'session_not_found',
    query: HolderLanguage,
    headers: { 'Accept-Language': 'The language of the texts, unless `lang` names one.' },
    success: {
      status: 200,
      body: HolderVerification,
      description: 'What the page shows.',
    },
    any_origin: true,
  },
  cancelAsHolder: {
    method: 'POST',
    path: '/verify/{id}/cancel',
    summary: "Cancel as the holder: the page's way back (no key needed)",
    params: holderParams,
    not_found: 'session_not_found',
    query: HolderLanguage,
    success: {
      status: 200,
      body: HolderCancellation,
      description:
        'It is over. A second cancellation returns the same. A browser that accepts HTML is redirected to the page with 303.',
    },
    refusals: ['session_already_responded'],
    any_origin: true,
  },
  streamHolderPhases: {
    method: 'GET',
    path: '/verify/{id}/events',
    summary: 'Stream the phase as server-sent events until the verification ends (no key needed)',
    params: holderParams,
    not_found: 'session_not_found',
    query: PhaseStreamQuery,
    success: {
      status: 200,
      body: z.string(),
      media: 'text/event-stream',
      description:
        'One event `phase` for each change. The data is JSON: `{"phase": "opened"}`. With `code=moving` also an event `code` every 20 seconds.',
    },
    any_origin: true,
  },
  getDcRequests: {
    method: 'GET',
    path: '/wallet/dc/{sessionId}',
    summary: 'Get the requests for the Digital Credentials API (for allowed pages)',
    params: walletVerificationParams,
    not_found: 'session_not_found',
    success: {
      status: 200,
      body: DcRequests,
      description: 'One request for each protocol that the verification can use.',
    },
    refusals: ['wrong_origin', 'session_already_responded', 'session_expired'],
  },
  postDcResponse: {
    method: 'POST',
    path: '/wallet/dc/{sessionId}',
    summary: 'Submit the response of the Digital Credentials API (for allowed pages)',
    params: walletVerificationParams,
    not_found: 'session_not_found',
    form: WalletForm,
    success: {
      status: 200,
      body: WalletRedirect,
      description: 'The response was accepted. Whether the verification completed is not said here.',
    },
    refusals: ['wrong_origin', 'invalid_wallet_response', 'session_already_responded', 'session_expired'],
  },
} satisfies Record<string, PublishedRoute>
