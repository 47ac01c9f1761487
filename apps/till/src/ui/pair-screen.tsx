import type { Till } from '../control/till.ts'
import type { PairingProblem } from '../state/till-state.ts'
import { CodeForm } from './code-form.tsx'
import { LanguageChoice, type LanguageChoiceProps } from './language-choice.tsx'
import { useTexts } from './texts-context.ts'

type PairScreenProps = LanguageChoiceProps & {
  till: Till
  online: boolean
  problem?: PairingProblem | undefined
  code?: string | undefined
}

export function PairScreen({ till, online, problem, code, ...language }: PairScreenProps) {
  const text = useTexts()
  return (
    <main className="mid">
      <section className="card wide">
        <div className="steps-box">
          <p className="mark">
            <Mark />
            Vidimus
            <LanguageChoice {...language} />
          </p>
          <h1>{text.pair.title}</h1>
          <ol className="steps">
            <li>{text.pair.steps.open}</li>
            <li>{text.pair.steps.register}</li>
            <li>{text.pair.steps.scan}</li>
          </ol>
        </div>
        <CodeForm till={till} online={online} problem={problem} refused={code} />
      </section>
    </main>
  )
}

/** A seal with a V. */
function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path
        className="seal"
        d="M16 1.2l3.2 2.3 3.9-.7 1.8 3.5 3.8 1.2.1 4 2.8 2.8-1.7 3.6.9 3.9-3.4 2.1-1 3.8-4 .3-2.7 2.9-3.7-1.4-3.7 1.4-2.7-2.9-4-.3-1-3.8L1.2 21.8l.9-3.9L.4 14.3l2.8-2.8.1-4 3.8-1.2 1.8-3.5 3.9.7z"
      />
      <path className="letter" d="M10.2 11.2L16 21.6l5.8-10.4" />
    </svg>
  )
}
