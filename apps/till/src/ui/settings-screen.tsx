import type { Till } from '../control/till.ts'
import { LanguageChoice, type LanguageChoiceProps } from './language-choice.tsx'
import { Notice } from './notice.tsx'
import { useTexts } from './texts-context.ts'

type SettingsScreenProps = LanguageChoiceProps & { till: Till; awake: boolean }

/** What staff may change on the till itself. Everything else is in the dashboard. */
export function SettingsScreen({ till, awake, ...language }: SettingsScreenProps) {
  const text = useTexts()
  return (
    <Notice title={text.ready.settings}>
      <div className="setting">
        <span>{text.language}</span>
        <LanguageChoice {...language} />
      </div>
      <label className="setting">
        <span>{text.settings.keep_awake}</span>
        <input
          type="checkbox"
          checked={awake}
          onChange={({ target }) => till.chooseKeepAwake(target.checked)}
        />
      </label>
      <button type="button" className="btn primary" onClick={till.closePanel}>
        {text.answer.done}
      </button>
    </Notice>
  )
}
