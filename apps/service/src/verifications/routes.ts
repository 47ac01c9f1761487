import { routes } from '@vidimus/contract'
import type { VerificationContext } from './context.ts'
import { readIdempotencyKey } from './idempotency/idempotency-key.ts'
import { type Endpoint, endpoint } from '../engine/http/index.ts'
import { cancelVerification } from './cancel/cancel.ts'
import { comparePhoto } from './compare/compare.ts'
import { createVerification } from './create/create.ts'
import { eraseVerification } from './retention/erase.ts'
import { getVerification, getVerificationStatus } from './read/get-verification.ts'
import { listVerifications } from './read/list-verifications.ts'
import { redeemResponseCode } from './read/redeem.ts'
import { presentFromReader, requestFromReader } from './wallet/proximity.ts'

export function verificationRoutes(ctx: VerificationContext): Endpoint[] {
  return [
    endpoint(
      routes.createVerification,
      async ({ principal, query, body, sent, header }) => {
        const idempotency_key = readIdempotencyKey(header('idempotency-key'))
        const created = await createVerification(ctx, principal, { body, sent, idempotency_key, ...query })
        return {
          text: created.text,
          verification_id: created.id,
          headers: {
            ...pageLink(ctx, created.id),
            ...(created.replayed && { 'idempotent-replayed': 'true' }),
            ...(created.warnings.length > 0 && { 'x-service-warning': created.warnings.join('; ') }),
          },
        }
      },
      { createsVerification: true },
    ),
    endpoint(routes.listVerifications, async ({ principal, query }) => ({
      body: await listVerifications(ctx, principal, query),
    })),
    endpoint(routes.getVerification, async ({ principal, params }) => ({
      body: await getVerification(ctx, principal, params.id),
      headers: pageLink(ctx, params.id),
    })),
    endpoint(routes.eraseVerification, async ({ principal, params }) => ({
      body: await eraseVerification(ctx, principal, params.id),
    })),
    endpoint(routes.cancelVerification, async ({ principal, params }) => ({
      body: await cancelVerification(ctx, principal, params.id),
    })),
    endpoint(routes.redeemResponseCode, async ({ principal, params, body }) => ({
      body: await redeemResponseCode(ctx, principal, { id: params.id, ...body }),
    })),
    endpoint(routes.requestFromReader, async ({ principal, params, body }) => ({
      body: await requestFromReader(ctx, principal, { id: params.id, ...body }),
    })),
    endpoint(routes.presentFromReader, async ({ principal, params, body }) => ({
      body: await presentFromReader(ctx, principal, { id: params.id, ...body }),
    })),
    endpoint(routes.comparePhoto, async ({ principal, params, body }) => ({
      body: await comparePhoto(ctx, principal, { id: params.id, ...body }),
    })),
    endpoint(routes.getVerificationStatus, async ({ params }) => ({
      body: await getVerificationStatus(ctx, params.id),
    })),
  ]
}

/**
 * Where the holder continues. The relation is registered (RFC 8288 §2.1.1): the page is the same verification, for a person. A relation
 * of our own would be a URI, and another one in each installation.
 */
function pageLink({ config }: VerificationContext, id: string): Record<string, string> {
  return { link: `<${config.BASE_URL}/verify/${id}>; rel="alternate"; type="text/html"` }
}
