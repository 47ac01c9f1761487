import type { Till } from '../control/till.ts'
import type { PairingLoss } from '../state/till-state.ts'
import { CodeForm } from './code-form.tsx'
import { Notice } from './notice.tsx'
import { useTexts } from './texts-context.ts'

type PairAgainProps = { till: Till; online: boolean; loss: PairingLoss; interrupted: boolean }

/** Says what happened and what to do, and takes the new code. */
export function PairAgain({ till, online, loss, interrupted }: PairAgainProps) {
  const text = useTexts()
  return (
    <Notice title={text.pair_again.title}>
      {interrupted && (
        <p role="alert" className="problem">
          {text.pair_again.interrupted}
        </p>
      )}
      <p>{text.pair_again.what_happened[loss]}</p>
      <p>{text.pair_again.what_to_do}</p>
      <CodeForm till={till} online={online} />
    </Notice>
  )
}
