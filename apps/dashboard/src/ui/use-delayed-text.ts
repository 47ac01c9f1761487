import { useEffect, useRef, useState, type ChangeEvent } from 'react'

const delay_ms = 300

/** The props of a text field whose value is applied when the user pauses. It follows the applied value if that changes elsewhere. */
export function useDelayedText(applied: string | undefined, apply: (value: string) => void) {
  const [typed, setTyped] = useState(applied ?? '')
  const lastApplied = useRef(applied ?? '')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latestApply = useRef(apply)
  useEffect(() => {
    latestApply.current = apply
  }, [apply])
  useEffect(() => {
    if ((applied ?? '') === lastApplied.current) return
    lastApplied.current = applied ?? ''
    setTyped(applied ?? '')
  }, [applied])
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    value: typed,
    onChange({ target }: ChangeEvent<HTMLInputElement>) {
      setTyped(target.value)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => {
        lastApplied.current = target.value.trim()
        latestApply.current(lastApplied.current)
      }, delay_ms)
    },
  }
}
