/** The stored text, or undefined if there is none or storage is blocked. */
export function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined // Storage is blocked.
  }
}

/** Stores the text, or deletes it. Where storage is blocked or full, nothing outlasts the page. */
export function writeStored(key: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // Storage is blocked or full.
  }
}
