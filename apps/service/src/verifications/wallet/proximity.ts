import { createHash } from 'node:crypto'
import type {
  PresentFromReader,
  ReaderRequest,
  RequestFromReader,
  VerificationStatus,
} from '@vidimus/contract'
import { type ReaderSession, buildDeviceRequest, readReaderSession } from '@vidimus/protocol'
import { type Principal, Refusal } from '../../engine/basics/index.ts'
import { getIdentity } from '../../trust/index.ts'
import type { VerificationContext } from '../context.ts'
import { getVerification, getVerificationStatus } from '../read/get-verification.ts'
import { acceptResponse } from './accept-response.ts'
import { type OpenVerification, findOpenVerification } from './find-open-verification.ts'
import { loadWalletQuery } from './load-query.ts'
import { findReaders } from './serve-dc-requests.ts'
import { bindTranscript } from './store.ts'

/**
 * Makes the request that a device's own reader sends to a wallet nearby (ISO/IEC 18013-5), signed for that session, and binds the
 * verification to the session: it serves no other. Another session may follow until a wallet has responded.
 */
export async function requestFromReader(
  ctx: VerificationContext,
  principal: Principal,
  { id, ...session }: RequestFromReader & { id: string },
): Promise<ReaderRequest> {
  const verification = await findOwnVerification(ctx, principal, id)
  const { transcript } = readSession(session)
  const identity = await getIdentity(ctx, verification.certificate)
  const device_request = await buildDeviceRequest({
    dcql_query: await loadWalletQuery(ctx, verification),
    transcript,
    ...(await findReaders(ctx, verification, identity)),
  })
  if (device_request === undefined)
    throw new Refusal('invalid_request', 'Mdocs alone cannot satisfy the query, and a reader gets no others.')
  const { day, tenant_id } = verification
  const bound = await ctx.db.transaction((tx) =>
    bindTranscript(tx, { day, id, tenant_id, hash: hashTranscript(transcript) }),
  )
  if (!bound) {
    await findOpenVerification(ctx, id)
    throw new Refusal(
      'invalid_request',
      'This session was used for another verification. Begin another one, with a new reader_key.',
    )
  }
  return { device_request }
}

/** Verifies what the wallet returned in that session, as on any other channel. */
export async function presentFromReader(
  ctx: VerificationContext,
  principal: Principal,
  { id, device_response, ...session }: PresentFromReader & { id: string },
): Promise<VerificationStatus> {
  const verification = await findOwnVerification(ctx, principal, id)
  const { transcript, reader_key } = readSession(session)
  if (verification.transcript_hash?.equals(hashTranscript(transcript)) !== true)
    throw new Refusal(
      'invalid_wallet_response',
      'This is not the session that the verification was requested in last. Request it in this session first.',
    )
  await acceptResponse(ctx, verification, {
    channel: { kind: 'proximity', transcript, ...(reader_key && { reader_key }) },
    body: device_response,
  })
  return getVerificationStatus(ctx, id)
}

/** The open verification that this very device created. */
async function findOwnVerification(
  ctx: VerificationContext,
  principal: Principal,
  id: string,
): Promise<OpenVerification> {
  await getVerification(ctx, principal, id)
  if (principal.kind !== 'device')
    throw new Refusal(
      'insufficient_scope',
      'This request needs the token of the device that created the verification.',
    )
  return findOpenVerification(ctx, id)
}

function readSession(session: ReaderSession) {
  const read = readReaderSession(session)
  if ('error' in read) throw new Refusal('invalid_request', `${read.error}.`)
  return read.value
}

function hashTranscript(transcript: Uint8Array): Buffer {
  return createHash('sha256').update(transcript).digest()
}
