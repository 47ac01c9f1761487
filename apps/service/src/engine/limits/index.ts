export { openLimiter } from './limiter.ts'
export { type AddressKey, writeRateLimits } from './rate-limits.ts'
