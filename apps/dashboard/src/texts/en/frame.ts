export type FrameTexts = typeof frame

/** What is around every page. */
export const frame = {
  account: 'Your account',
  language: 'Language',
  menu: 'Menu',
  open_menu: 'Open menu',
  pages: 'Pages',
  skip: 'Skip to content',
  sign_out: 'Sign out',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  not_found: {
    title: 'Page not found',
    text: 'The address may be wrong, or the item was erased.',
    home: 'Go to overview',
  },
  confirmation: {
    title: 'Confirm that it is you',
    with_passkey:
      'This can give access or show something secret, and your last confirmation was more than ten minutes ago. Use your passkey to continue.',
    at_provider:
      'This can give access or show something secret, and your last confirmation was more than ten minutes ago. Sign in at your identity provider again. You then return to this page and repeat what you were doing.',
    use_passkey: 'Use passkey',
    sign_in: 'Sign in again',
  },
}
