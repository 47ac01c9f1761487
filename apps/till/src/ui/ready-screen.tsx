import type { Till } from '../control/till.ts'
import type { TillDevice, TillState } from '../state/till-state.ts'
import { findAge } from '../texts/ages.ts'
import { nameTemplate } from '../texts/name-template.ts'
import { looksLikeAnswer } from './brand.ts'
import { Icon, type IconName } from './icon.tsx'
import { Logo } from './logo.tsx'
import { useTexts } from './texts-context.ts'
import { UpdateNotice } from './update-notice.tsx'

type ReadyScreenProps = { till: Till; state: TillState; device: TillDevice }

/** One check fills the screen, two share it, three and four are in a grid, more scroll. */
export function ReadyScreen({ till, state, device }: ReadyScreenProps) {
  const text = useTexts()
  const { settings, outcomes } = state
  const templates = device.allowed_templates
  return (
    <>
      <header className="top">
        {settings !== undefined && <Logo merchant={settings.merchant} />}
        <p className="shop">
          <b>{settings?.merchant.name ?? device.name}</b>
          {settings !== undefined && <small>{device.name}</small>}
        </p>
        <button type="button" className="tool" onClick={till.openOutcomes}>
          <Icon name="list" />
          <span>{text.outcomes.title}</span>
          {outcomes.length > 0 && <b>{outcomes.length}</b>}
        </button>
        <button
          type="button"
          className="tool square"
          aria-label={text.ready.settings}
          onClick={till.openSettings}
        >
          <Icon name="lock" />
        </button>
      </header>
      <UpdateNotice idle={outcomes.length === 0} />
      <main className={`home ${layout(templates.length)}`}>
        <h1 className="unseen">{text.ready.title}</h1>
        {templates.length === 0 && <p className="none">{text.ready.no_templates}</p>}
        {templates.map((key, index) => (
          <Tile
            key={key}
            till={till}
            state={state}
            template={key}
            first={index === 0}
            alone={templates.length === 1}
          />
        ))}
      </main>
    </>
  )
}

function layout(count: number): string {
  return count === 1 ? 'one' : count === 2 ? 'two' : 'four'
}

type TileProps = { till: Till; state: TillState; template: string; first: boolean; alone: boolean }

function Tile({ till, state, template, first, alone }: TileProps) {
  const text = useTexts()
  const { online, withdrawn, settings } = state
  const refused = withdrawn.includes(template)
  const hint = refused
    ? text.ready.withdrawn
    : hasPhoto(template)
      ? text.ready.compare
      : alone
        ? text.ready.tap
        : ''
  const calm = looksLikeAnswer(settings?.merchant.colour)
  return (
    <button
      type="button"
      className={['tile', first && 'first', first && calm && 'calm'].filter(Boolean).join(' ')}
      disabled={!online || refused}
      aria-describedby={online ? undefined : 'connection'}
      onClick={() => till.press(template)}
    >
      <Icon name={chooseIcon(template)} />
      <b>{nameTemplate(template, text.templates)}</b>
      {hint !== '' && <small>{hint}</small>}
    </button>
  )
}

function hasPhoto(template: string): boolean {
  return template === 'age_over_18_photo'
}

function chooseIcon(template: string): IconName {
  if (hasPhoto(template)) return 'person'
  return findAge(template) === undefined ? 'card' : 'age'
}
