const phoneQuery = '(pointer: coarse) and (max-width: 640px), (pointer: coarse) and (max-height: 480px)'

/** Whether this is a phone, whose own wallet comes first: touched, and narrow in one direction. */
export function isPhone(): boolean {
  return matchMedia(phoneQuery).matches
}

/**
 * Whether an app shows the page in its own browser. Many of these open no other app. There is no way to ask, only what they say about
 * themselves: a name, Android's mark of a web view, or an iPhone's browser that does not call itself Safari.
 */
export function isInAppBrowser(userAgent: string): boolean {
  if (
    /FBA[NV]|Instagram|Line\/|TikTok|musical_ly|Snapchat|Pinterest|LinkedInApp|MicroMessenger/.test(userAgent)
  )
    return true
  if (/Android.*; wv\)/.test(userAgent)) return true
  return /iPhone|iPad/.test(userAgent) && !userAgent.includes('Safari/')
}
