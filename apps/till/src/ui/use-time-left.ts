import { useEffect, useState } from 'react'

/** The milliseconds until a time of the monotonic clock, every second. */
export function useTimeLeft(end_ms: number): number {
  const [now_ms, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return end_ms - now_ms
}
