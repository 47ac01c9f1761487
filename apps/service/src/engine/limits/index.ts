export { type AddressKey, openLimiter, writeRateLimits } from './limiter.ts'
