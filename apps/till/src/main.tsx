import { StrictMode, useEffect, useState, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { openTill, type Till } from './control/till.ts'
import { unlockSound } from './device/announce.ts'
import { registerServiceWorker } from './device/service-worker.ts'
import { readStored, writeStored } from './device/storage.ts'
import { chooseLanguage, listLanguages, texts } from './texts/languages.ts'
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
  const edited_only = useSyncExternalStore(
    opened.subscribe,
    () => opened.getState().settings?.edited_languages_only ?? false,
  )
  const [chosen, setChosen] = useState(() => readStored(languageKey) ?? '')
  const offered = listLanguages({ edited_only })
  const language = chooseLanguage([chosen, ...navigator.languages], offered)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  return (
    <TextsContext value={texts(language)}>
      <App
        till={opened}
        simulated={simulated !== undefined}
        language={language}
        offered={offered}
        onLanguage={(next) => (writeStored(languageKey, next), setChosen(next))}
      />
    </TextsContext>
  )
}
