import { issueWithAuth0 } from './auth0-mdoc.ts'
import type { IndependentHolder, IndependentIssuer } from './credential.ts'
import { credoHolder } from './credo-holder.ts'
import { credoIssuer } from './credo-issuer.ts'
import { digitalBazaarHolder } from './digital-bazaar-holder.ts'
import { libraryHolder } from './library-holder.ts'
import { issueMdl } from './owf-mdoc.ts'
import { issueWithMeeco } from './meeco-sd-jwt.ts'
import { issueSdJwtVc } from './sd-jwt-js.ts'

export const independentIssuers: readonly IndependentIssuer[] = [
  credoIssuer,
  {
    name: '@sd-jwt/sd-jwt-vc 0.19, @owf/mdoc 0.6',
    issue: {
      'dc+sd-jwt': ({ issuer, holderKey, now }) => issueSdJwtVc(issuer, holderKey, now),
      mso_mdoc: async ({ issuer, holderKey, now }) =>
        (await issueMdl(issuer, holderKey, now)).encodedForOid4Vci,
    },
  },
  {
    name: '@meeco/sd-jwt 1.2, @auth0/mdl 3.0',
    issue: { 'dc+sd-jwt': issueWithMeeco, mso_mdoc: issueWithAuth0 },
  },
]

export const independentHolders: readonly IndependentHolder[] = [
  credoHolder,
  libraryHolder,
  digitalBazaarHolder,
]
