let wanted = false
let sentinel: WakeLockSentinel | undefined

/** Keeps the screen on, or no longer. A browser releases the lock when the page is hidden, so it is requested again afterwards. */
export function keepAwake(awake: boolean): void {
  wanted = awake
  if (!awake) {
    void sentinel?.release().catch(() => undefined)
    sentinel = undefined
    return
  }
  void request()
}

document.addEventListener('visibilitychange', () => {
  if (wanted && document.visibilityState === 'visible') void request()
})

async function request(): Promise<void> {
  if (!('wakeLock' in navigator) || (sentinel !== undefined && !sentinel.released)) return
  try {
    const granted = await navigator.wakeLock.request('screen')
    // The check may have ended in the meantime.
    if (wanted) sentinel = granted
    else await granted.release()
  } catch {
    // The battery is low or the page is hidden. The till works without.
  }
}
