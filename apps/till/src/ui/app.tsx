import { useSyncExternalStore } from 'react'
import type { Till } from '../control/till.ts'
import type { TillState } from '../state/till-state.ts'
import { fillIn } from '../texts/fill-in.ts'
import type { Language } from '../texts/languages.ts'
import { AnswerScreen } from './answer-screen.tsx'
import { AskingScreen } from './asking-screen.tsx'
import { CodeForm } from './code-form.tsx'
import { Notice } from './notice.tsx'
import { PairAgain } from './pair-again.tsx'
import { ReadyScreen } from './ready-screen.tsx'
import { useTexts } from './texts-context.ts'
import { TopBar } from './top-bar.tsx'

export type AppProps = {
  till: Till
  simulated: boolean
  language: Language
  onLanguage: (language: Language) => void
}

export function App(props: AppProps) {
  const { till, simulated } = props
  const state = useSyncExternalStore(till.subscribe, till.getState)
  const text = useTexts()
  return (
    <>
      {simulated && <p className="simulated">{text.simulated}</p>}
      {!isFullScreen(state.screen) && (
        <TopBar
          {...props}
          online={state.online}
          name={'device' in state.screen ? state.screen.device.name : undefined}
        />
      )}
      <Screen {...props} />
    </>
  )
}

/** The QR code and the answer get all the space there is. */
function isFullScreen({ name }: TillState['screen']): boolean {
  return name === 'asking' || name === 'answer'
}

function Screen({ till, simulated }: AppProps) {
  const state = useSyncExternalStore(till.subscribe, till.getState)
  const text = useTexts()
  const { screen, online } = state
  switch (screen.name) {
    case 'starting':
      return <Notice title={text.starting} />
    case 'other_tab':
      return (
        <Notice title={text.other_tab.title}>
          <p>{text.other_tab.text}</p>
          <button type="button" className="secondary" onClick={till.useThisTab}>
            {text.other_tab.use_this}
          </button>
        </Notice>
      )
    case 'unpaired':
      return (
        <Notice title={text.pair.title}>
          <p>{text.pair.steps}</p>
          <CodeForm till={till} online={online} problem={screen.problem} />
        </Notice>
      )
    case 'pairing':
      return <Notice title={text.pair.busy} />
    case 'pair_again':
      return <PairAgain till={till} online={online} {...screen} />
    case 'replace_pairing':
      return (
        <Notice title={text.replace_pairing.title}>
          <p>{fillIn(text.replace_pairing.text, { name: screen.device.name })}</p>
          <button type="button" className="primary" onClick={till.keepPairing}>
            {text.replace_pairing.keep}
          </button>
          <button type="button" className="secondary" onClick={() => till.pair(screen.code)}>
            {text.replace_pairing.replace}
          </button>
        </Notice>
      )
    case 'ready':
      return <ReadyScreen till={till} state={state} device={screen.device} />
    case 'asking':
      return <AskingScreen till={till} online={online} simulated={simulated} {...screen} />
    case 'answer':
      return <AnswerScreen till={till} {...screen} />
  }
}
