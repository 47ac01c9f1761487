/** The bounds of what one thread caches between tasks. `maxList_bytes` is for all of its status lists together, inflated. */
export const threadCaches = {
  maxScopes: 50,
  maxTemplates: 200,
  maxTypes: 500,
  maxLists: 50,
  maxList_bytes: 48 * 1024 * 1024,
}
