/** The part of `@digitalbazaar/oid4-client` that is used here; the package has no type declarations. */
declare module '@digitalbazaar/oid4-client' {
  export const oid4vp: {
    authzResponse: {
      create(options: {
        authorizationRequest: object
        vpToken: Record<string, string[]>
        vpTokenMediaType: string
        encryptionOptions: object
      }): Promise<{ authorizationResponse: Record<string, string> }>
    }
  }
}
