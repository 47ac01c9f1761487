import { DateOnly, Kms, X509Certificate, type Agent } from '@credo-ts/core'
import type { SigningKey } from '@vidimus/sandbox'
import { mdl, pid, privateJwk, publicJwk, type IndependentIssuer, type IssueOptions } from './credential.ts'
import { openCredoAgent } from './credo-agent.ts'

/** Issues with the Credo framework and its defaults: no `exp`, no `iss`, one certificate in an mdoc, a year of validity. */
export const credoIssuer: IndependentIssuer = {
  name: 'Credo 0.6',
  issue: {
    'dc+sd-jwt': async ({ issuer, holderKey }: IssueOptions) => {
      await using agent = await openIssuerAgent()
      const { key, chain } = issuer.signers.pid
      const { compact } = await agent.sdJwtVc.sign({
        payload: { vct: pid.type, ...pid.claims },
        issuer: { method: 'x5c', x5c: await importCertificates(agent, key, chain) },
        holder: { method: 'jwk', jwk: Kms.PublicJwk.fromPublicJwk(publicJwk(holderKey)) },
        // Credo's type allows names only; the underlying library also accepts array indexes.
        disclosureFrame: JSON.parse(JSON.stringify(pid.disclosureFrame)),
      })
      return compact
    },
    mso_mdoc: async ({ issuer, holderKey }: IssueOptions) => {
      await using agent = await openIssuerAgent()
      const { key, chain } = issuer.signers.mdl
      const [issuerCertificate] = await importCertificates(agent, key, chain)
      if (issuerCertificate === undefined) throw new Error('The signer has no certificate.')
      const mdoc = await agent.mdoc.sign({
        docType: mdl.type,
        namespaces: {
          [mdl.namespace]: { ...mdl.elements, birth_date: new DateOnly(mdl.elements.birth_date) },
        },
        issuerCertificate,
        holderKey: Kms.PublicJwk.fromPublicJwk(publicJwk(holderKey)),
      })
      return mdoc.base64Url
    },
  },
}

async function openIssuerAgent() {
  const agent = await openCredoAgent({ fetch: refuseFetch, trustedRoots: [] })
  return Object.assign(agent, { [Symbol.asyncDispose]: () => agent.shutdown() })
}

async function importCertificates(agent: Agent, key: SigningKey, chain: readonly Uint8Array[]) {
  const { keyId } = await agent.kms.importKey({ privateJwk: privateJwk(key) })
  const [leaf, ...others] = chain.map((raw) => X509Certificate.fromRawCertificate(Uint8Array.from(raw)))
  if (leaf === undefined) return []
  leaf.keyId = keyId
  return [leaf, ...others]
}

async function refuseFetch(): Promise<never> {
  throw new Error('This issuer makes no HTTP requests.')
}
