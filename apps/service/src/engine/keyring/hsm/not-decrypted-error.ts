/** The token works, but another key has encrypted the value, or for another purpose, or it was altered. */
export class NotDecryptedError extends Error {
  override name = 'NotDecryptedError'

  constructor() {
    super('this key of the token does not decrypt the value')
  }
}
