import { useSyncExternalStore } from 'react'
import { photoDuration_ms, type Till } from '../control/till.ts'
import { staysAwake } from '../state/reduce.ts'
import type { TillState } from '../state/till-state.ts'
import { fillIn } from '../texts/fill-in.ts'
import { AnswerScreen } from './answer-screen.tsx'
import { AskingScreen } from './asking-screen.tsx'
import { useBrand } from './brand.ts'
import { CompareScreen } from './compare-screen.tsx'
import { Icon } from './icon.tsx'
import type { LanguageChoiceProps } from './language-choice.tsx'
import { Notice } from './notice.tsx'
import { Outcomes } from './outcomes.tsx'
import { PairAgain } from './pair-again.tsx'
import { PairScreen } from './pair-screen.tsx'
import { PinScreen } from './pin-screen.tsx'
import { ReadyScreen } from './ready-screen.tsx'
import { SettingsScreen } from './settings-screen.tsx'
import { useTexts } from './texts-context.ts'

export type AppProps = LanguageChoiceProps & { till: Till; simulated: boolean }

export function App(props: AppProps) {
  const { till, simulated } = props
  const state = useSyncExternalStore(till.subscribe, till.getState)
  const paired = 'device' in state.screen
  useBrand(paired ? state.settings?.merchant.colour : undefined)
  return (
    <div className="till">
      <Strips state={state} simulated={simulated} />
      <Screen {...props} state={state} />
    </div>
  )
}

/** One line each above the screen: test data, and a lost connection. */
function Strips({ state, simulated }: { state: TillState; simulated: boolean }) {
  const text = useTexts()
  const { screen, online, settings } = state
  const test = settings?.test === true && (screen.name === 'ready' || screen.name === 'asking')
  const problem =
    screen.name === 'ready'
      ? text.ready.offline
      : screen.name === 'asking'
        ? text.asking.offline
        : text.offline
  const answered = screen.name === 'answer' || screen.name === 'compare'
  return (
    <>
      {(simulated || test) && <aside className="strip test">{simulated ? text.simulated : text.test}</aside>}
      <p id="connection" role="status" className={online || answered ? 'unseen' : 'strip'}>
        {!online && !answered && (
          <>
            <Icon name="offline" />
            {problem}
          </>
        )}
      </p>
    </>
  )
}

function Screen({ till, simulated, state, ...choice }: AppProps & { state: TillState }) {
  const text = useTexts()
  const { screen, online, settings } = state
  switch (screen.name) {
    case 'starting':
      return <Notice title={text.starting} />
    case 'other_tab':
      return (
        <Notice title={text.other_tab.title} before={<Icon name="tabs" big />}>
          <p>{text.other_tab.text}</p>
          <button type="button" className="btn primary" onClick={till.useThisTab}>
            {text.other_tab.use_this}
          </button>
        </Notice>
      )
    case 'unpaired':
      return (
        <PairScreen till={till} online={online} problem={screen.problem} code={screen.code} {...choice} />
      )
    case 'pairing':
      return <Notice title={text.pair.busy} />
    case 'pair_again':
      return <PairAgain till={till} online={online} {...screen} {...choice} />
    case 'replace_pairing':
      return (
        <Notice title={text.replace_pairing.title}>
          <p>{fillIn(text.replace_pairing.text, { name: screen.device.name })}</p>
          <button type="button" className="btn primary" onClick={till.keepPairing}>
            {text.replace_pairing.keep}
          </button>
          <button type="button" className="btn" onClick={() => till.pair(screen.code)}>
            {text.replace_pairing.replace}
          </button>
        </Notice>
      )
    case 'ready':
      if (screen.panel?.name === 'pin') return <PinScreen till={till} {...screen.panel} />
      if (screen.panel?.name === 'settings')
        return <SettingsScreen till={till} awake={staysAwake(state)} {...choice} />
      return (
        <>
          <ReadyScreen till={till} state={state} device={screen.device} />
          {screen.panel !== undefined && <Outcomes till={till} outcomes={state.outcomes} />}
        </>
      )
    case 'asking':
      return (
        <AskingScreen
          key={screen.check.key}
          till={till}
          simulated={simulated}
          settings={settings}
          language={choice.language}
          offered={choice.offered}
          {...screen}
        />
      )
    case 'compare':
      return <CompareScreen till={till} duration_ms={photoDuration_ms} {...screen} />
    case 'answer':
      return <AnswerScreen key={screen.check.key} till={till} online={online} {...screen} />
  }
}
