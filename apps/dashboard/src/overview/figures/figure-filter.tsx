import type { Figures } from '@vidimus/contract'
import { useTemplateName } from '../../templates/template-name.tsx'
import { useFormats, useTexts } from '../../texts/texts-context.ts'
import { SelectField } from '../../ui/field.tsx'

const ranges = ['7', '30', '90'] as const

export type FigureChoice = { days: (typeof ranges)[number]; template?: string; device_id?: string }

/**
 * Offers the templates and devices that have verifications in the range, devices only if there are any. A choice that has none in
 * the next range stays.
 */
export function FigureFilter({
  choice,
  figures,
  onChange,
}: {
  choice: FigureChoice
  figures: Figures | undefined
  onChange: (choice: FigureChoice) => void
}) {
  const { figures: text, common } = useTexts()
  const formats = useFormats()
  const nameOf = useTemplateName()
  const { template, device_id, ...range } = choice
  const templates = new Set([
    ...(figures?.templates.map(({ key }) => key) ?? []),
    ...(template === undefined ? [] : [template]),
  ])
  const devices = new Map([
    ...(device_id === undefined ? [] : [[device_id, device_id] as const]),
    ...(figures?.devices.map(({ id, name }) => [id, name] as const) ?? []),
  ])
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <SelectField
        label={text.range}
        value={choice.days}
        onChange={({ target }) =>
          onChange({ ...choice, days: ranges.find((each) => each === target.value) ?? '7' })
        }
      >
        {ranges.map((days) => (
          <option key={days} value={days}>
            {formats.count(text.days, Number(days))}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={common.template}
        // A template's key is not empty, but an empty one means sessions without a template.
        value={template === undefined ? 'all' : `key ${template}`}
        onChange={({ target: { value } }) =>
          onChange({
            ...range,
            ...(device_id !== undefined && { device_id }),
            ...(value !== 'all' && { template: value.slice('key '.length) }),
          })
        }
      >
        <option value="all">{text.all_templates}</option>
        {[...templates].map((key) => (
          <option key={key} value={`key ${key}`}>
            {key === '' ? text.own_query : nameOf(key)}
          </option>
        ))}
      </SelectField>
      {devices.size > 0 && (
        <SelectField
          label={text.device}
          value={device_id ?? ''}
          onChange={({ target: { value } }) =>
            onChange({
              ...range,
              ...(template !== undefined && { template }),
              ...(value !== '' && { device_id: value }),
            })
          }
        >
          <option value="">{text.all_devices}</option>
          {Array.from(devices, ([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
    </div>
  )
}
