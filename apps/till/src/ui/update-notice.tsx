import { useEffect, useSyncExternalStore } from 'react'
import { isUpdateReady, watchUpdate } from '../device/service-worker.ts'
import { useTexts } from './texts-context.ts'

/** A new version starts by itself if nothing would be lost, and otherwise when someone says so. */
export function UpdateNotice({ idle }: { idle: boolean }) {
  const text = useTexts()
  const ready = useSyncExternalStore(watchUpdate, isUpdateReady)
  useEffect(() => {
    if (ready && idle) location.reload()
  }, [ready, idle])
  if (!ready || idle) return null
  return (
    <p className="update">
      {text.update.text}
      <button type="button" className="tool" onClick={() => location.reload()}>
        {text.update.restart}
      </button>
    </p>
  )
}
