export type SignInTexts = typeof signIn

export const signIn = {
  title: 'Sign in',
  description:
    'The operator’s console. Use a passkey: your fingerprint, your face or your device PIN. There are no passwords.',
  with_passkey: 'Sign in with a passkey',
  with_provider: 'Sign in with {provider}',
  callback_errors: {
    invalid_invitation: 'The link has expired or was already used. Ask an owner for a new one.',
    other: 'The sign-in at your identity provider failed, or this account belongs to no operator.',
  },
  help: 'New here, or lost your passkey? Ask an owner for a link. On the server, {command} creates one.',
  invitation: {
    title: 'Invitation',
    welcome: 'Welcome, {name}',
    invited: 'You sign in as {email}, with the role {role}. The link expires on {at}.',
    create_passkey: 'Create a passkey',
    continue_with: 'Continue with {provider}',
    invalid_title: 'This link does not work',
    invalid_text: 'A link works once and for 24 hours. Ask the person who sent it for a new one.',
  },
}

export type AccountTexts = typeof account

export const account = {
  name_note: 'An owner changes your role. To change your name or address, have yourself added again.',
  sessions: {
    title: 'Session',
    description: 'It ends after half an hour without a request, and eight hours after you signed in.',
    signed_in: 'Signed in',
    method: 'With',
    methods: { passkey: 'Passkey', oidc: 'Identity provider' },
    expires: 'Ends by',
    others: 'Other browsers',
    other_count: { one: '{count} signed in', other: '{count} signed in' },
    sign_out: 'Sign out everywhere',
    sign_out_title: 'Sign out everywhere?',
    sign_out_description: 'Ends all your sessions on every device, including this one.',
  },
}
