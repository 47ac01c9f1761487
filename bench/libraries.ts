import { randomBytes } from 'node:crypto'
import { verifyMdoc } from '../packages/protocol/src/mdoc/verify.ts'
import type { PresentedCredential, VerificationContext } from '../packages/protocol/src/presentation.ts'
import { makeEncryptionKey } from '../packages/protocol/src/request/make-encryption-key.ts'
import { verifySdJwt } from '../packages/protocol/src/sd-jwt/verify.ts'
import { exportAnchors, createIssuer } from '../packages/sandbox/src/issuer/create-issuer.ts'
import { generateSigningKey } from '../packages/sandbox/src/keys/signing-key.ts'
import { openCredoVerifier } from '../packages/wallets/src/credo-verifier.ts'
import { issueMdl, presentMdl } from '../packages/wallets/src/owf-mdoc.ts'
import { openMdocVerifier } from '../packages/wallets/src/owf-mdoc-verifier.ts'
import { issueSdJwtVc, presentSdJwtVc, createSdJwtVerifier } from '../packages/wallets/src/sd-jwt-js.ts'
import { compareVerifiers, measureOnce } from './compare-verifiers.ts'
import type { Bench } from './figure.ts'

/** Number of new signers, each with its own root certificates, so that nothing about them is cached. */
const newSigners = 200

/**
 * One SD-JWT VC with key binding, issued with `@sd-jwt/sd-jwt-vc`, through each verifier. `protocol` also validates the
 * signer's certificate chain and caches the result. `sd_jwt_vc` leaves the chain to its caller, so it checks less. `credo`
 * validates the chain every time, so compare it with `protocol_new_signer` too. No credential has a status to look up.
 */
const sdJwt: Bench = async () => {
  const { issuer, request, context, trusted, present } = await issueSdJwt()
  const library = createSdJwtVerifier(issuer.signers.pid.key.public_key)
  await using credo = await openCredoVerifier(trusted)

  const figures = await compareVerifiers('libraries.sd_jwt', {
    presentation: await present(request.nonce),
    replayed: await present('a nonce of another request'),
    verifiers: {
      protocol: async (presentation) => accept(verifySdJwt(presentation, context)),
      sd_jwt_vc: (presentation) => library.verify(presentation, { keyBindingNonce: request.nonce }),
      credo: (presentation) => credo.verifySdJwtVc(presentation, request),
    },
  })
  const unknown = await verificationsOfNewSigners(issueSdJwt, verifySdJwt)
  return [...figures, measureOnce('libraries.sd_jwt.protocol_new_signer', unknown)]
}

/**
 * The same for one mdoc in a DeviceResponse, issued with `@owf/mdoc`. `owf_mdoc` leaves the certificate chain to its caller,
 * so it checks less.
 */
const mdoc: Bench = async () => {
  const { issuer, request, context, trusted, present } = await issueMdoc()
  const [leaf = new Uint8Array()] = issuer.signers.mdl.chain
  const verifyWithLibrary = openMdocVerifier(leaf, issuer.hierarchies.mobile.root.certificate)
  await using credo = await openCredoVerifier(trusted)

  const figures = await compareVerifiers('libraries.mdoc', {
    presentation: await present(request.nonce),
    replayed: await present('a nonce of another request'),
    verifiers: {
      protocol: async (presentation) => accept(verifyMdoc(presentation, context)),
      owf_mdoc: (presentation) => verifyWithLibrary(presentation, request),
      credo: (presentation) => credo.verifyMdoc(presentation, request),
    },
  })
  const unknown = await verificationsOfNewSigners(issueMdoc, verifyMdoc)
  return [...figures, measureOnce('libraries.mdoc.protocol_new_signer', unknown)]
}

/** Verifying the same presentation with our verifier and with other libraries, in one run. */
export const benches: Record<string, Bench> = { 'libraries.sd_jwt': sdJwt, 'libraries.mdoc': mdoc }

async function issueSdJwt() {
  const fixture = createFixture()
  const holderKey = generateSigningKey()
  const credential = await issueSdJwtVc(fixture.issuer, holderKey, fixture.now)
  const present = (nonce: string) => presentSdJwtVc(credential, { ...fixture.request, nonce }, holderKey)
  return { ...fixture, present }
}

async function issueMdoc() {
  const fixture = createFixture()
  const holderKey = generateSigningKey()
  const issued = await issueMdl(fixture.issuer, holderKey, fixture.now)
  const present = (nonce: string) => presentMdl(issued, { ...fixture.request, nonce }, holderKey)
  return { ...fixture, present }
}

/** A new issuer and a new request, so that nothing is cached. */
function createFixture() {
  const now = new Date()
  const issuer = createIssuer({ now })
  const seconds = Math.floor(now.getTime() / 1000)
  const encryption = makeEncryptionKey(randomBytes(48))
  const requestParameters = {
    client_id: 'x509_san_dns:verifier.example',
    nonce: randomBytes(32).toString('base64url'),
    response_uri: 'https://verifier.example/response',
  }
  const context: VerificationContext = {
    request: {
      binding: {
        channel: 'redirect',
        ...requestParameters,
        encryption_key_thumbprint: encryption.thumbprint,
      },
      created_at: seconds,
      dcql_query: { credentials: [] },
    },
    trust: {
      anchors: exportAnchors(issuer),
      lookUpStatus: async () => undefined,
      status_unavailable: 'fail',
    },
    now: seconds,
  }
  const thumbprint = Buffer.from(encryption.thumbprint, 'base64url')
  const request = { ...requestParameters, encryption_jwk: encryption.jwk, thumbprint }
  const trusted = exportAnchors(issuer).map(({ certificate }) => certificate)
  return { issuer, now, request, context, trusted }
}

async function verificationsOfNewSigners(
  hold: typeof issueSdJwt,
  verify: (presentation: string, context: VerificationContext) => PresentedCredential,
): Promise<(() => void)[]> {
  const verifications: (() => void)[] = []
  for (let signer = 0; signer < newSigners; signer += 1) {
    const { context, request, present } = await hold()
    const presentation = await present(request.nonce)
    verifications.push(() => accept(verify(presentation, context)))
  }
  return verifications
}

function accept({ findings }: PresentedCredential): void {
  if (findings.length > 0) throw new Error(JSON.stringify(findings))
}
