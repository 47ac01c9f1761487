import type { Till } from '../control/till.ts'
import type { PairingLoss } from '../state/till-state.ts'
import { CodeForm } from './code-form.tsx'
import { Icon } from './icon.tsx'
import { LanguageChoice, type LanguageChoiceProps } from './language-choice.tsx'
import { useTexts } from './texts-context.ts'

type PairAgainProps = LanguageChoiceProps & {
  till: Till
  online: boolean
  loss: PairingLoss
  interrupted: boolean
}

/** Says what happened and what to do, and takes the new code. */
export function PairAgain({ till, online, loss, interrupted, ...language }: PairAgainProps) {
  const text = useTexts()
  return (
    <main className="mid">
      <section className="card wide">
        <div className="steps-box">
          <h1>{text.pair_again.title}</h1>
          {interrupted && (
            <p role="alert" className="problem">
              <Icon name="warning" />
              {text.pair_again.interrupted}
            </p>
          )}
          <p>{text.pair_again.what_happened[loss]}</p>
          <p>{text.pair_again.what_to_do}</p>
          <LanguageChoice {...language} />
        </div>
        <CodeForm till={till} online={online} />
      </section>
    </main>
  )
}
