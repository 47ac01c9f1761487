/**
 * Whose wallets an identity is for, besides the access certificate, which is for those of the EU and signs every request. Wallets of an
 * ecosystem trust other authorities than those of the next.
 */
export const ecosystems = ['apple', 'google', 'iso'] as const
export type EcosystemName = (typeof ecosystems)[number]
