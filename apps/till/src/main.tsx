import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { openTill, type Till } from './control/till.ts'
import { unlockSound } from './device/announce.ts'
import { registerServiceWorker } from './device/service-worker.ts'
import { readStored, writeStored } from './device/storage.ts'
import { chooseLanguage, isLanguage, texts, type Language } from './texts/languages.ts'
import { App } from './ui/app.tsx'
import { TextsContext } from './ui/texts-context.ts'
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet exports nothing
import './styles/till.css'

const languageKey = 'vidimus-till-language'

/** A simulated till has a store of its own, so that it never meets a real till in the same browser. */
const simulated = /^[0-9a-f-]{36}$/.exec(new URLSearchParams(location.search).get('simulated') ?? '')?.[0]
const till = openTill(simulated === undefined ? 'vidimus-till' : `vidimus-till-simulated-${simulated}`)
addEventListener('pointerdown', unlockSound)
addEventListener('keydown', unlockSound)
registerServiceWorker()

const rootElement = document.querySelector('#root')
if (rootElement === null) throw new Error('The page has no #root element.')
createRoot(rootElement).render(
  <StrictMode>
    <Root till={till} />
  </StrictMode>,
)

function Root({ till: opened }: { till: Till }) {
  const [language, setLanguage] = useState(readLanguage)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  return (
    <TextsContext value={texts(language)}>
      <App
        till={opened}
        simulated={simulated !== undefined}
        language={language}
        onLanguage={(chosen) => (writeStored(languageKey, chosen), setLanguage(chosen))}
      />
    </TextsContext>
  )
}

function readLanguage(): Language {
  const stored = readStored(languageKey) ?? ''
  return isLanguage(stored) ? stored : chooseLanguage(navigator.languages)
}
