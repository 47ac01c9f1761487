/** What one thread caches between tasks: the anchors of this many scopes, versions of templates, descriptions of types, and status lists with their inflated size. */
export const threadCaches = {
  maxScopes: 50,
  maxTemplates: 200,
  maxTypes: 500,
  maxLists: 50,
  maxList_bytes: 48 * 1024 * 1024,
}
