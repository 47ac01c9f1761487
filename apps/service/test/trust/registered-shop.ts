import {
  createRegistrar,
  issueRegistration,
  serveRegistrationStatus,
  type Format,
  type RegistrationDraft,
  type RegistrationFault,
  type RegistrationPolicy,
} from '@vidimus/sandbox'
import { newAccessCertificate } from './access-certificate.ts'

/** The shop's identifier, by which a registration belongs to its access certificate. */
export const identifier = 'NTRUT-12345678'
const now = new Date()
const registrar = createRegistrar({ now })
export const certificate = newAccessCertificate({ identifier })
const draft: RegistrationDraft = {
  name: 'Flower shop',
  legal_name: 'Flowers Ltd',
  identifier,
  purpose: 'To sell wine',
  credentials: [
    {
      format: 'dc+sd-jwt',
      meta: { vct_values: ['urn:eudi:pid:1'] },
      claims: [['given_name'], ['family_name'], ['age_equal_or_over']],
    },
    {
      format: 'mso_mdoc',
      meta: { doctype_value: 'org.iso.18013.5.1.mDL' },
      claims: [['org.iso.18013.5.1']],
    },
  ],
}

/** How a wallet checks them, as the EUDI library: the providers' roots are trusted, and status lists are fetched. */
export const registrationPolicy: RegistrationPolicy = {
  anchors: [registrar.root.certificate],
  fetchStatus: async (uri) => serveRegistrationStatus(registrar, uri, { now }),
}

/** A registration certificate of the shop. */
export const issueToShop = (
  options: { fault?: RegistrationFault; version?: '1.1.1' | '1.2.1' } = {},
  changes: Partial<RegistrationDraft> = {},
) => issueRegistration(registrar, { ...draft, ...changes }, { now, ...options })

/** What a wallet shows of a request within such a registration. */
export const verified = {
  result: 'verified',
  registration: { name: 'Flower shop', purpose: 'To sell wine' },
  over_asked: [],
}

/** Queries within the registration. */
export const queryFor = {
  'dc+sd-jwt': {
    credentials: [
      {
        id: 'pid',
        format: 'dc+sd-jwt',
        meta: { vct_values: ['urn:eudi:pid:1'] },
        claims: [{ path: ['given_name'] }, { path: ['family_name'] }],
      },
    ],
  },
  mso_mdoc: {
    credentials: [
      {
        id: 'mdl',
        format: 'mso_mdoc',
        meta: { doctype_value: 'org.iso.18013.5.1.mDL' },
        claims: [{ path: ['org.iso.18013.5.1', 'given_name'] }],
      },
    ],
  },
} satisfies Record<Format, object>
