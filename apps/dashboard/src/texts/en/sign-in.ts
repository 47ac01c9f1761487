export type SignInTexts = typeof signIn

export const signIn = {
  title: 'Sign in',
  description: 'Use a passkey: your fingerprint, your face or your device PIN. There are no passwords.',
  with_passkey: 'Sign in with a passkey',
  with_provider: 'Sign in with {provider}',
  your_organisation: 'your organisation',
  help: 'New here, or lost your passkey? Ask an owner or admin of your team for a link. Operators create one with {command}.',
  callback_errors: {
    invalid_invitation: 'The invitation has expired or was already used. Ask for a new one.',
    sign_in_unavailable: 'Your identity provider is not responding. Try again later.',
    other: 'This account cannot sign in here. Ask an owner of your team for an invitation.',
  },
  invitation: {
    title: 'Invitation',
    join: 'Join {tenant}',
    welcome_back: 'Welcome back',
    invited: 'You were invited as {email}, with the role {role}. The link expires on {at}.',
    returning: 'Add a sign-in method for {email}, with the role {role}. The link expires on {at}.',
    your_name: 'Your name',
    your_name_hint: 'Shown to your team and in the audit log.',
    name_missing: 'Enter your name.',
    create_passkey: 'Create a passkey',
    continue_with: 'Continue with {provider}',
    invalid_title: 'This link does not work',
    invalid_text: 'A link works once and expires. Ask the person who sent it for a new one.',
  },
}
