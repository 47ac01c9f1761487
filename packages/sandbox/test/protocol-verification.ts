import { randomBytes } from 'node:crypto'
import * as protocol from '@vidimus/protocol'
import type {
  Outcome,
  ResponseBinding,
  ExpectedResponse,
  VerifierRequest,
  WalletResponse,
} from '@vidimus/protocol'
import { exportAnchors, type Issuer } from '../src/issuer/create-issuer.ts'
import { serveStatusList, type StatusListEdits } from '../src/issuer/status-lists.ts'
import { serveTypeMetadata } from '../src/issuer/type-metadata.ts'
import type { AuthorizationRequest } from '../src/wallet/authorization-request.ts'
import type { DcqlQuery } from '../src/wallet/dcql.ts'
import type { ResponseForm } from '../src/wallet/wallet.ts'

/** The verifier under test: the real one, or a copy with one check disabled. */
export type Verifier = Pick<typeof protocol, 'openResponse' | 'verifyPresentation'>

export type ProtocolVerificationOptions = {
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

export type VerifyForm = (form: ResponseForm, verifier?: Verifier) => Promise<Verdict>

/** A verification of the real verifier without HTTP: the request for the wallet, and a function that verifies its response. */
export function openProtocolVerification(options: ProtocolVerificationOptions): {
  request: AuthorizationRequest
  verify: VerifyForm
} {
  const { query, now, client_id = 'x509_hash:abc' } = options
  const { encryption_key, nonce, state } = createSecrets()
  const response_uri = 'https://verifier.example/response'
  const encryption_key_thumbprint = encryption_key.thumbprint
  return {
    request: {
      channel: 'redirect',
      client_id,
      nonce,
      state,
      response_uri,
      dcql_query: query,
      encryption: { jwk: encryption_key.jwk, enc_values: ['A128GCM', 'A256GCM'] },
      expires_at: toSeconds(now) + 300,
    },
    verify: createVerify(options, {
      verification: { channel: 'redirect', state, encryption_key },
      binding: { channel: 'redirect', client_id, nonce, response_uri, encryption_key_thumbprint },
    }),
  }
}

export function createSecrets() {
  return {
    encryption_key: protocol.makeEncryptionKey(randomBytes(48)),
    nonce: randomBytes(32).toString('base64url'),
    state: randomBytes(32).toString('base64url'),
  }
}

/** Opens and verifies a posted form as the service does. */
export function createVerify(
  { issuer, query, now, template, list_edits }: ProtocolVerificationOptions,
  { verification, binding }: { verification: ExpectedResponse; binding: ResponseBinding },
): VerifyForm {
  const request: VerifierRequest = {
    binding,
    created_at: toSeconds(now),
    // Plain JSON, as read from the database.
    dcql_query: JSON.parse(JSON.stringify(query)),
    ...(template !== undefined && { template }),
  }
  const trust = {
    anchors: exportAnchors(issuer),
    lookUpStatus: async (uri: string) => serveStatusList(issuer, uri, now, list_edits),
    lookUpType: async (reference: protocol.TypeReference) => {
      const document = serveTypeMetadata(issuer, reference.uri)
      return document && protocol.readTypeMetadata(document, reference)
    },
    status_unavailable: 'fail' as const,
  }
  return async (form, verifier = protocol) => {
    const response = verifier.openResponse(new URLSearchParams(form).toString(), verification)
    if (response.kind !== 'presentation') return response
    return {
      kind: 'outcome',
      outcome: await verifier.verifyPresentation(request, response.vp_token, trust, toSeconds(now)),
    }
  }
}

export function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
