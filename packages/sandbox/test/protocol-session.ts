import { randomBytes } from 'node:crypto'
import * as protocol from '@vidimus/protocol'
import type { Outcome, VerifierRequest, WalletResponse } from '@vidimus/protocol'
import { exportAnchors, type Issuer } from '../src/issuer/create-issuer.ts'
import { serveStatusList, type StatusListEdits } from '../src/issuer/status-lists.ts'
import type { ResponseForm } from '../src/wallet/build-response.ts'
import type { AuthorizationRequest } from '../src/wallet/authorization-request.ts'
import type { DcqlQuery } from '../src/wallet/dcql.ts'

/** The verifier under test: the real one, or a copy with one check disabled. */
export type Verifier = Pick<typeof protocol, 'openResponse' | 'verifyPresentation'>

export type ProtocolSessionOptions = {
  issuer: Issuer
  query: DcqlQuery
  now: Date
  template?: VerifierRequest['template']
  client_id?: string
  list_edits?: StatusListEdits
}

/** The result of verifying a posted form: malformed, the wallet's error, or an outcome. */
export type Verdict =
  | Exclude<WalletResponse, { kind: 'presentation' }>
  | { kind: 'outcome'; outcome: Outcome }

/** A session of the real verifier without HTTP: the request for the wallet, and a function that verifies its response. */
export function openProtocolSession({
  issuer,
  query,
  now,
  template,
  client_id = 'x509_hash:abc',
  list_edits,
}: ProtocolSessionOptions) {
  const seconds = Math.floor(now.getTime() / 1000)
  const encryptionKey = protocol.makeEncryptionKey(randomBytes(48))
  const nonce = randomBytes(32).toString('base64url')
  const state = randomBytes(32).toString('base64url')
  const response_uri = 'https://verifier.example/response'

  const request: AuthorizationRequest = {
    client_id,
    nonce,
    state,
    response_uri,
    dcql_query: query,
    encryption: { jwk: encryptionKey.jwk, enc_values: ['A128GCM', 'A256GCM'] },
    expires_at: seconds + 300,
  }
  const verifierRequest: VerifierRequest = {
    client_id,
    nonce,
    state,
    response_uri,
    created_at: seconds,
    // Plain JSON, as read from the database.
    dcql_query: JSON.parse(JSON.stringify(query)),
    encryption_key_thumbprint: encryptionKey.thumbprint,
    ...(template !== undefined && { template }),
  }
  const trust = {
    anchors: exportAnchors(issuer),
    lookUpStatus: async (uri: string) => serveStatusList(issuer, uri, now, list_edits),
    status_unavailable: 'fail' as const,
  }
  return {
    request,
    async verify(form: ResponseForm, verifier: Verifier = protocol): Promise<Verdict> {
      const body = new URLSearchParams(form).toString()
      const response = verifier.openResponse(body, { state, encryption_key: encryptionKey })
      if (response.kind !== 'presentation') return response
      return {
        kind: 'outcome',
        outcome: await verifier.verifyPresentation(verifierRequest, response.vp_token, trust, seconds),
      }
    },
  }
}
