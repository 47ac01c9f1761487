import { useState } from 'react'

export type Theme = 'system' | 'light' | 'dark'

/** The theme that the user chose; public/theme.js applies it before the first paint. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(() => readTheme(document.documentElement.dataset['theme']))
  return [
    theme,
    (next) => {
      setTheme(next)
      if (next === 'system') delete document.documentElement.dataset['theme']
      else document.documentElement.dataset['theme'] = next
      try {
        localStorage.setItem('theme', next)
      } catch {
        // Storage is blocked: the choice lasts until the page is closed.
      }
    },
  ]
}

function readTheme(value: string | undefined): Theme {
  return value === 'light' || value === 'dark' ? value : 'system'
}
