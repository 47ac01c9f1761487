/** How long a wallet can respond. A person who comes from another site may still have to find the wallet. */
export const responseTime_seconds = 600
/** From the creation until the browser must have come back: the time to respond, and as long again to return. */
export const returnTime_seconds = 2 * responseTime_seconds
/** From the return of the browser until the site must have exchanged its code. */
export const codeLifetime_seconds = 60
/** How long an ID token is valid, and userinfo answers. */
export const tokenLifetime_seconds = 300
/** How long clients may keep the published keys. */
export const jwksMaxAge_seconds = 300
/** The cookie that recognises the browser. */
export const browserCookie_seconds = 3600
