import type { ClientAuthentication, Environment } from '@vidimus/contract'

export type OpenIdClientsTexts = typeof openIdClients

export const openIdClients = {
  title: 'OpenID clients',
  descriptions: {
    test: 'Sites that ask for test verifications by configuration alone, such as Auth0, Keycloak or WordPress: they add you as an OpenID provider.',
    live: 'Sites that ask for verifications by configuration alone, such as Auth0, Keycloak or WordPress: they add you as an OpenID provider.',
  } satisfies Record<Environment, string>,
  captions: {
    test: 'OpenID clients in the test environment',
    live: 'OpenID clients in the live environment',
  } satisfies Record<Environment, string>,
  create: 'Create client',
  templates: 'Templates',
  missing: '{template} (deleted)',
  subject: 'Subject',
  ephemeral: 'New at each visit',
  secret: 'Secret',
  no_secret: 'None, PKCE',
  one_secret: 'Works',
  two_secrets: 'Two work',
  refused: 'Last request refused',
  not_login: {
    title: 'This is verification, not login',
    what: 'A wallet proves facts about a person, not who comes back. Unless a client derives the subject from a claim, each visit looks like a new person: a site that creates an account for each subject creates one at every visit.',
  },
  empty: {
    title: 'No OpenID clients yet',
    what: 'A client is one site, with the addresses that people return to and the templates it may ask with. You get an issuer, a client ID and a secret to enter there; no code is needed.',
  },
  actions: {
    values: { button: 'Set up', label: 'Values to set up {name}' },
    edit: { button: 'Edit', label: 'Edit {name}' },
    roll: { button: 'Roll secret', label: 'Roll secret of {name}' },
    delete: { button: 'Delete', label: 'Delete {name}' },
  },
  form: {
    titles: { test: 'Create a test client', live: 'Create a live client' } satisfies Record<
      Environment,
      string
    >,
    edit_title: 'Edit client',
    save: 'Save',
    saved: 'Client saved.',
    name_hint: 'The site, such as “Web shop”.',
    name_missing: 'Enter a name.',
    redirects: 'Redirect addresses',
    redirects_hint:
      'One per line, exactly as the site sends them. The site shows its own, often as “callback URL”.',
    redirects_missing: 'Enter at least one address.',
    templates_hint: 'The site chooses one of them with its scope. Up to {max}.',
    purpose: 'Purpose',
    purpose_hint: 'Optional. People see it before they answer.',
    subject_claim: 'Claim for the subject',
    subject_claim_hint:
      'Optional. A claim that tells people apart and that every template always returns, such as personal_administrative_number. Leave empty for a new subject at each visit.',
    cross_device: 'Accept a wallet on another device',
    cross_device_hint:
      'The page then shows a QR code. Risk: someone can pass the code of their own visit on to another person. If that person answers, the sender is signed in as them.',
    authentication: 'Authentication',
    authentications: {
      secret: { label: 'Client secret', hint: 'For sites with a server. This is the usual choice.' },
      none: { label: 'None, PKCE only', hint: 'For apps and pages that cannot keep a secret.' },
    } satisfies Record<ClientAuthentication, { label: string; hint: string }>,
    pkce_required: 'Require PKCE',
    pkce_required_hint:
      'Switch it off only for software that cannot do PKCE. A request without PKCE must then have a nonce, which the software must check.',
    algorithm: 'Signature of ID tokens',
    algorithm_hint: 'RS256 works everywhere. ES256 has shorter tokens.',
  },
  values: {
    title: 'Set up “{name}”',
    title_secret: 'Copy the secret now',
    description: 'Enter these values at the site. The secret was shown when it was created.',
    description_secret:
      'Enter these values at the site. The secret is shown only once; if you lose it, roll it.',
    issuer: 'Issuer',
    discovery: 'Discovery address',
    client_id: 'Client ID',
    client_secret: 'Client secret',
    scope: 'Scope',
    copy: 'Copy {name}',
    public_hint: 'This client has no secret. Choose “public client” and PKCE with S256.',
    secret_hint: 'Choose the authorization code flow and PKCE with S256.',
    nonce_hint: 'If the site cannot do PKCE, it must send a nonce.',
    algorithm_hint: 'ID tokens are signed with {algorithm}.',
    close: 'Close',
    copied: 'I have copied it',
  },
  roll: {
    title: 'Roll the secret of “{name}”?',
    description: 'A new secret is created and shown once. Enter it at the site before the old one ends.',
    both_work: 'Two secrets work already. A new one now ends both at once.',
    overlap: 'The old secret works for',
    now_hint: 'Every earlier secret ends at once. Choose this if one has leaked.',
    submit: 'Roll secret',
  },
  remove: {
    title: 'Delete “{name}”?',
    description:
      'The site can no longer ask for verifications, and visits in progress end. This cannot be undone. Verifications are kept.',
    type_name: 'Type {name} to confirm',
    submit: 'Delete client',
    done: '“{name}” deleted.',
  },
}
