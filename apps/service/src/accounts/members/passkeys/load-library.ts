/** The WebAuthn library is loaded with the first passkey: with its parser of certificates it takes a tenth of the time to start. */
export const loadWebAuthn = () => import('@simplewebauthn/server')
export const loadWebAuthnHelpers = () => import('@simplewebauthn/server/helpers')
