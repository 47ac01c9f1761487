/** What one thread keeps between tasks: anchors of so many scopes, and so many status lists with what they inflate to. */
export const threadCaches = { maxScopes: 50, maxLists: 50, maxListBytes: 48 * 1024 * 1024 }
